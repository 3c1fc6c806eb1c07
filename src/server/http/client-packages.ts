import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/**
 * Offers the packages of the client libraries at `/clients/`, so that `pip install https://HOST/clients/…whl` needs no
 * repository. `/clients/index.json` lists them. They are built beside the dashboard (`tools/build-clients.ts`).
 */
export async function addClientPackages(server: FastifyInstance, dashboardDir: string | undefined): Promise<void> {
  const folder = dashboardDir && join(dashboardDir, '../clients')
  if (!folder || !existsSync(folder)) return
  await server.register(fastifyStatic, {
    root: folder,
    prefix: '/clients/',
    index: false,
    decorateReply: false,
    setHeaders: (reply) => void reply.header('cache-control', 'no-cache'),
  })
}
