# Two stages, so that the image has no development packages. See docs/operations.md.
FROM node:22-bookworm-slim AS build
WORKDIR /opt/nstp-portal
COPY . .
RUN npm ci --ignore-scripts && npm run build && npm prune --omit=dev

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY --from=build /opt/nstp-portal /opt/nstp-portal
RUN mkdir /data && chown node /data
WORKDIR /opt/nstp-portal
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:3000/api/ready').then((r) => process.exit(r.ok ? 0 : 1))"]
# 400 MB of heap fit a machine of 1 GB.
CMD ["node", "--max-old-space-size=400", "build/server/index.js"]
