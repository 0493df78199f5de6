"""Training: a recipe and a dataset → a trained model.

In the order in which a training goes:

| file | what it is |
| --- | --- |
| `train` | the whole way, from a recipe to a model's folder |
| `recipe`, `stages`, `losses` | how a model is trained: what a user writes |
| `shipped_recipes` | the recipes that come with linkspot |
| `recipe_encoder` | the encoder that training starts from |
| `distillation`, `distilled_encoder` | that encoder made smaller first, if the recipe asks for it |
| `learner` | the kinds of models while they learn |
| `training_examples` | links and insertions as inputs of the encoder |
| `trainer`, `stage_run`, `optimizer` | the loop: stages of steps |
| `checkpoint`, `validation`, `logs` | what the loop keeps, checks and reports on its way |
| `head`, `head_problems`, `head_rows`, `calibration` | the head of a `dual` model, fitted at the end |
| `card` | the model card |
| `old_names` | recipes and checkpoints of earlier versions |
| `adapt` | a new head for a model that is trained already |
"""
