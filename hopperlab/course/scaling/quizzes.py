"""Questions on what the Transformer Engine does, and on FP8 after training."""

from hopperlab.course.quizzes import Option, Question, Quiz

BELIEFS = Quiz(
    "beliefs",
    [
        Question(
            "Which of these hold for the Transformer Engine as it shipped?",
            [
                Option(
                    "The engine picks the format from the statistics of each layer",
                    "So the talk announced it. What shipped follows a recipe: the format goes by the direction, the "
                    "scale alone by statistics.",
                    misconception="the engine picks the format by statistics",
                ),
                Option(
                    "A model has one scale",
                    "That was loss scaling in FP16. FP8's range is too small for all tensors of a model at once.",
                    misconception="scaling is per model",
                ),
                Option(
                    "Forward tensors are E4M3 and gradients E5M2",
                    "The recipe HYBRID, its default. All-E4M3 is the other choice; all-E5M2 is refused.",
                    right=True,
                ),
                Option(
                    "The engine picks the format for each element",
                    "A tensor has one format. A tensor core takes one format for A and one for B.",
                    misconception="the engine picks the format per element",
                ),
                Option(
                    "Each tensor of each layer has a scale of its own",
                    "Input, weight and gradient of every matrix product: each with its own history.",
                    right=True,
                ),
                Option(
                    "A longer history is always safer",
                    "Against clipping, yes. But one infinity freezes the scale for the whole window, and after a large "
                    "spike small values stay flushed for as long.",
                    misconception="history longer is always safer",
                ),
                Option(
                    "A weight's scale and its bytes belong together",
                    "Bytes cast with one scale and undone with another are wrong by the ratio of both.",
                    right=True,
                ),
            ],
            several=True,
        ),
    ],
)

DEPLOYED = Quiz(
    "deployed",
    [
        Question(
            "A network was trained in FP8. What must be done before it infers in FP8?",
            [
                Option(
                    "Calibration, in every case",
                    "Static scales of activations need it, or those of training; current scaling does not.",
                    misconception="FP8 inference always needs calibration",
                ),
                Option(
                    "Fine-tuning to eight bits",
                    "It was trained through the same casts: it has met this rounding at every step.",
                    misconception="FP8 inference needs fine-tuning",
                ),
                Option(
                    "Nothing, with current scaling",
                    "It scales each tensor by its own maximum when it is cast, and needs to have seen nothing. It "
                    "reads each tensor twice.",
                    right=True,
                ),
            ],
        ),
        Question(
            "A static scale leaves a factor 64 unused: activations reach 7 where 448 was foreseen. Who suffers?",
            [
                Option(
                    "FP8, with three mantissa bits only",
                    "Its precision is relative: six powers of two below the top it is as good as at the top.",
                    misconception="fewer bits suffer more",
                ),
                Option(
                    "INT8",
                    "Its steps are all alike, and 64 times too coarse now. FP8's steps shrink with the values.",
                    right=True,
                ),
                Option(
                    "Both alike",
                    "A whole number loses six of its seven bits; a floating-point number moves its exponent.",
                    misconception="INT8 and FP8 need the same care",
                ),
            ],
        ),
    ],
)
