"""The models of datasets/models, written by scripts/make_models.py."""
