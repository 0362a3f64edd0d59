# syntax=docker/dockerfile:1
ARG NODE=node:24-slim

FROM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/copy-assets.mjs scripts/
COPY src src
RUN npm run build

FROM ${NODE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force

FROM ${NODE}
ENV NODE_ENV=production \
    PRECIS_HOST=0.0.0.0 \
    PRECIS_PORT=8080
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE NOTICE ./
USER node
EXPOSE 8080
# Liveness only: a container that drains answers 503 on /readyz and must not be restarted for it.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PRECIS_PORT}/healthz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
# No npm in between: it is the server that must get the signals.
CMD ["node", "--enable-source-maps", "dist/server.js"]
