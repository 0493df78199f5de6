"""The recipes that come with linkspot, as texts; reading them imports nothing that trains."""

from importlib.resources import files

from linkspot.errors import UnusableInput


def recipe_names() -> list[str]:
    """Return the names of the recipes that come with linkspot."""
    folder = files("linkspot.training") / "recipes"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def recipe_text(name: str) -> str:
    """Return a recipe that comes with linkspot, with its comments."""
    if name not in recipe_names():
        raise UnusableInput(f"no recipe is called {name!r}; there are: {', '.join(recipe_names())}")
    return (files("linkspot.training") / "recipes" / f"{name}.toml").read_text(encoding="utf-8")


def recipe_summaries() -> dict[str, str]:
    """Return what each recipe is for: its first line."""
    return {name: recipe_text(name).partition("\n")[0].removeprefix("# ") for name in recipe_names()}
