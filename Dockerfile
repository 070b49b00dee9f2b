# The gateway: docker build -t dupdex . && docker run --rm --read-only --tmpfs /tmp -p 127.0.0.1:9280:9280 dupdex
# It needs no right to write but /tmp (figures of several workers), and runs as nobody in particular.
FROM python:3.12-slim-bookworm AS build
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY pyproject.toml README.md LICENSE dupdex_command.py ./
COPY mappings mappings
COPY indexer indexer
COPY query query
COPY dupdex dupdex
RUN python -m venv /opt/dupdex \
    && /opt/dupdex/bin/pip install --no-cache-dir ".[gateway,fast,jobs]"
WORKDIR /
RUN /opt/dupdex/bin/python -c "from indexer.text.kernels import compiled; assert compiled"

FROM python:3.12-slim-bookworm
LABEL org.opencontainers.image.title="dupdex" \
      org.opencontainers.image.description="Near-duplicate search in front of Elasticsearch" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/dupdex /opt/dupdex
ENV PATH=/opt/dupdex/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOME=/tmp
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin dupdex
USER 10001:10001
WORKDIR /tmp
EXPOSE 9280
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:9280/healthz', timeout=2)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["dupdex"]
# Others reach it from outside of the container: give it keys (--keys), or --insecure on a network of
# your own, as docker-compose.yml does.
CMD ["serve", "--host", "0.0.0.0", "--keys", "/run/secrets/dupdex-keys", "--log", "json"]
