# docker build --tag linkspot . && docker run --read-only --tmpfs /tmp --publish 8080:8080 --volume linkspot:/data linkspot
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src src
RUN python -m venv /linkspot \
    && PIP_CONSTRAINT=constraints.txt /linkspot/bin/pip install --no-cache-dir ".[serve]" \
    && find /linkspot -name __pycache__ -prune -exec rm -r {} +

FROM python:3.12-slim
RUN useradd --uid 10001 --create-home linkspot && install --directory --owner linkspot /data
COPY --from=build /linkspot /linkspot
USER linkspot
WORKDIR /data
VOLUME /data
ENV PATH=/linkspot/bin:$PATH PYTHONDONTWRITEBYTECODE=1 LINKSPOT_HOST=0.0.0.0 LINKSPOT_DATABASE=sqlite:////data/linkspot.sqlite
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f\"http://127.0.0.1:{os.environ.get('PORT', 8080)}/healthz\", timeout=4)"]
ENTRYPOINT ["linkspot", "serve"]
