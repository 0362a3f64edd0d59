# syntax=docker/dockerfile:1
# Any Debian image with Node.js 20.19 or newer and npm will do.
ARG NODE=node:24-slim

FROM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/copy-assets.mjs scripts/build-ui.mjs scripts/
COPY examples/coding-session.json examples/
COPY src src
COPY ui ui
RUN npm run build

FROM ${NODE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM ${NODE}
LABEL org.opencontainers.image.title="Precis" \
      org.opencontainers.image.description="Compaction as a service for LLM conversations" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
    PRECIS_HOST=0.0.0.0 \
    PRECIS_PORT=8080
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE NOTICE ./
# The user `node` of the base image, by number: Kubernetes cannot tell that a name is not root.
USER 1000:1000
EXPOSE 8080
# Liveness only: a container that drains answers 503 on /readyz and must not be restarted for it. The port of
# callers answers it with a PRECIS_ADMIN_PORT too.
HEALTHCHECK --interval=15s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PRECIS_PORT}/healthz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
# Neither npm nor a shell nor an init in between: it is the server that must get the signals, and it
# starts no processes that somebody would have to reap.
CMD ["node", "--enable-source-maps", "dist/server.js"]
