# syntax=docker/dockerfile:1
FROM node:24-bookworm-slim AS build
WORKDIR /signet
COPY package.json package-lock.json ./
COPY sdks/typescript/package.json sdks/typescript/
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24-bookworm-slim
WORKDIR /signet
COPY --from=build /signet/package.json /signet/package-lock.json ./
COPY --from=build /signet/node_modules node_modules
COPY --from=build /signet/sdks/typescript sdks/typescript
COPY --from=build /signet/src src
COPY --from=build /signet/tools tools
COPY --from=build /signet/dist dist
RUN install -d -o node -g node -m 0700 /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node that the lock file pins, as everywhere; it hears SIGTERM itself.
CMD ["node_modules/.bin/node", "--max-semi-space-size=4", "tools/start.ts"]
