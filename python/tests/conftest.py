from stores import corpus, examples, model, other, printed, store  # noqa: F401  (fixtures)
