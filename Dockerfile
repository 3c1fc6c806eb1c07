# syntax=docker/dockerfile:1
FROM node:24-bookworm-slim AS build
WORKDIR /signet
COPY package.json package-lock.json ./
COPY sdks/typescript/package.json sdks/typescript/
COPY testing/generated-clients/package.json testing/generated-clients/
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
# What `npm run demo` fills a database with.
COPY --from=build /signet/testing/demo testing/demo
COPY --from=build /signet/testing/people/owner-context.ts /signet/testing/people/visitor.ts /signet/testing/people/program.ts testing/people/
COPY --from=build /signet/testing/country-file.ts testing/
RUN install -d -o node -g node -m 0700 /data
# For signet_build_info: --build-arg COMMIT=$(git rev-parse --short HEAD)
ARG COMMIT
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data SIGNET_COMMIT=$COMMIT
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node_modules/.bin/node", "tools/health.ts"]
# Node that the lock file pins, as everywhere; it hears SIGTERM itself.
CMD ["node_modules/.bin/node", "--max-semi-space-size=16", "tools/start.js"]
