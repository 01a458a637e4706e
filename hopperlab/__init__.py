"""hopperlab: an interactive workbook on NVIDIA's Hopper H100.

Floors, top to bottom: cli, lessons, course, views, measure, kernels, device, models, chip; the ledger
stands beside the models. Imports only go down. Nothing heavy is imported here.
"""

__version__ = "0.1.0"
