"""Hooks of mkdocs: see https://www.mkdocs.org/user-guide/configuration/#hooks.

Pages link to files of the repository that the site does not have: sources, examples, folders.
These links lead to GitHub. mkdocs --strict refuses a link to a file that exists in neither.
"""

import os
import posixpath
import re
from pathlib import Path

ROOT = Path(os.environ["PKGEN_ROOT"])  # a clone of the repository
LINK = re.compile(r"(\]\()(?!https?:|mailto:|#|<)([^)\s#]+)(#[^)\s]*)?(\))")
FENCE = re.compile(r"^(```.*?^```[^\n]*$)", re.MULTILINE | re.DOTALL)


def on_config(config):
    """Adds the decisions, and the packages below Reference, to the navigation."""
    pages = Path(config.docs_dir)
    sections = {name: entries for item in config.nav for name, entries in item.items()}
    packages = sorted(path.relative_to(pages).as_posix() for path in (pages / "api").rglob("*.md"))
    sections["Reference"].extend({name[len("api/"):-len(".md")]: name} for name in packages)
    decisions = sorted(path.name for path in (pages / "docs/decisions").glob("*.md") if path.name != "README.md")
    sections["Contribute"].append({"Decisions": ["docs/decisions/README.md", *("docs/decisions/" + name for name in decisions)]})
    return config


def on_page_markdown(markdown, page, config, files):
    """Leads links to files that are no pages to GitHub."""
    folder = posixpath.dirname(page.file.src_uri)

    def lead(match):
        path = posixpath.normpath(posixpath.join(folder, match[2]))
        if files.get_file_from_path(path) or not (ROOT / path).exists():
            return match[0]
        kind = "tree" if (ROOT / path).is_dir() else "blob"
        return f"{match[1]}{config.repo_url}/{kind}/main/{path}{match[3] or ''}{match[4]}"

    parts = FENCE.split(markdown)
    return "".join(part if i % 2 else LINK.sub(lead, part) for i, part in enumerate(parts))


def on_post_page(output, page, config):
    """Keeps the link to the repository from asking GitHub for stars and releases."""
    return output.replace(' data-md-component="source"', "")
