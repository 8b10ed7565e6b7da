"""The models of datasets/models, written by frictionbench-data models."""
