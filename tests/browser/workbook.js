// What the browser tests ask of a notebook that is open in JupyterLab (started with --expose-app-in-browser).
window.workbook = (() => {
  const SLIDERS = '.noUi-handle, input[type=range]';
  const PICTURE = 'svg, .js-plotly-plot, canvas';
  const TROUBLE = ['Error displaying widget', 'Error creating widget', 'model not found', 'Loading widget'];
  const REDRAW_LIMIT = 3000; // ms
  const QUIET = 80; // ms without a change: the panel has settled
  const EVERYTHING = { subtree: true, childList: true, attributes: true, characterData: true };

  const notebook = () => window.jupyterapp.shell.currentWidget;
  const wait = milliseconds => new Promise(done => setTimeout(done, milliseconds));
  const painted = () => new Promise(done => requestAnimationFrame(done));
  const area = slider => slider.closest('.jp-OutputArea-output');
  const isPicture = node => node instanceof Element && (node.matches(PICTURE) || node.querySelector(PICTURE));

  function ready(name) {
    const widget = window.jupyterapp?.shell.currentWidget;
    return Boolean(widget?.context?.isReady && widget.context.path === name
      && widget.sessionContext.session?.kernel?.status === 'idle');
  }

  function cells() {
    return Array.from(notebook().content.model.cells).map(cell => ({
      type: cell.type,
      source: cell.sharedModel.getSource(),
      tags: cell.getMetadata('tags') ?? [],
      count: cell.executionCount ?? null,
      outputs: cell.outputs ? Array.from({ length: cell.outputs.length }, (_, i) => cell.outputs.get(i).toJSON()) : [],
    }));
  }

  const shownOutputs = () => document.querySelectorAll('.jp-Notebook .jp-OutputArea-output').length;

  async function runAll() {
    await window.jupyterapp.commands.execute('notebook:run-all-cells');
    const kernel = notebook().sessionContext.session.kernel;
    while (kernel.status !== 'idle') await wait(50);
  }

  // Cells are rendered when they come into view.
  async function lookAtEveryCell() {
    for (let index = 0; index < notebook().content.widgets.length; index += 1) {
      await notebook().content.scrollToItem(index);
      await painted();
    }
    await wait(300);
  }

  function troubles() {
    const shown = document.querySelector('.jp-Notebook')?.innerText ?? '';
    const alerts = Array.from(document.querySelectorAll('.jp-Notebook [role=alert]'), alert => alert.innerText);
    return [...TROUBLE.filter(words => shown.includes(words)), ...alerts.filter(text => text.trim())];
  }

  // Cells whose widget has not been drawn.
  function undrawn() {
    return notebook().content.widgets.filter(cell => {
      const outputs = cell.model.outputs;
      if (!outputs) return false;
      const wanted = Array.from({ length: outputs.length }, (_, i) => outputs.get(i).toJSON())
        .some(output => output.data && 'application/vnd.jupyter.widget-view+json' in output.data);
      return wanted && !cell.node.querySelector('.jupyter-widgets');
    }).length;
  }

  const sliders = () => Array.from(document.querySelectorAll(`.jp-Notebook :is(${SLIDERS})`))
    .filter(slider => slider.offsetParent !== null && !slider.closest('[disabled]') && !slider.disabled);

  function describe(slider) {
    const number = (aria, own) => Number(slider.getAttribute(aria) ?? slider[own]);
    const box = slider.closest('.jupyter-widgets.widget-hslider, .jupyter-widgets.widget-vslider, .widget-slider');
    return {
      label: box?.querySelector('.widget-label')?.innerText ?? '',
      low: number('aria-valuemin', 'min'),
      high: number('aria-valuemax', 'max'),
      value: number('aria-valuenow', 'value'),
    };
  }

  // What a slider drives: the pictures of its panel, or its words where it has no picture.
  const pictures = slider => Array.from(area(slider).querySelectorAll(PICTURE), drawn => drawn.outerHTML).join('');
  const driven = slider => pictures(slider) || area(slider).innerText;

  function redraws(slider, { target, addedNodes }) {
    if (!area(slider).querySelector(PICTURE)) return !slider.parentNode.contains(target);
    return (target instanceof Element && target.closest(PICTURE)) || Array.from(addedNodes).some(isPicture);
  }

  // From the next key press to the painted picture, in milliseconds; null if nothing was drawn.
  function watch(slider) {
    const before = driven(slider);
    window.workbook.redraw = new Promise(done => {
      let pressed = null;
      document.addEventListener('keydown', () => { pressed = performance.now(); }, { capture: true, once: true });
      const observer = new MutationObserver(records => {
        if (pressed !== null && records.some(record => redraws(slider, record))) {
          observer.disconnect();
          requestAnimationFrame(() => done(performance.now() - pressed));
        }
      });
      observer.observe(area(slider), EVERYTHING);
      setTimeout(() => { observer.disconnect(); done(null); }, REDRAW_LIMIT);
    }).then(async milliseconds => {
      await settled(area(slider));
      return { milliseconds, changed: driven(slider) !== before };
    });
  }

  function settled(node) {
    return new Promise(done => {
      let timer = setTimeout(finish, QUIET);
      const observer = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(finish, QUIET); });
      function finish() { observer.disconnect(); done(); }
      observer.observe(node, EVERYTHING);
    });
  }

  async function theme(name) {
    await window.jupyterapp.commands.execute('apputils:change-theme', { theme: name });
    await wait(500);
  }

  const height = () => document.querySelector('.jp-Notebook .jp-WindowedPanel-viewport')?.scrollHeight
    ?? document.querySelector('.jp-Notebook').scrollHeight;

  return {
    ready, cells, shownOutputs, runAll, lookAtEveryCell, troubles, undrawn, sliders, describe, watch, theme, height,
  };
})();
