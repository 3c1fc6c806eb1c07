import { Type } from 'typebox'
import { EpochSeconds, reply, strict } from '#contract/fields.ts'
import { sellerCall } from './seller-call.contract.ts'

/** What a seller key is, and the totals of its app. */

const Count = Type.Integer()

const Limit = Type.Object({
  limit: Count,
  remaining: Type.Integer({ description: 'Calls left until the reset, after this one' }),
  resetSeconds: Count,
})

export const sellerKeyContract = {
  me: sellerCall('GET /me', {
    scope: null,
    summary: 'Get what the key is: its name, app, permissions, and limits. Any key can make this call.',
    query: strict({}),
    reply: reply({
      key: Type.Object({
        id: Type.String({ description: 'Public part of the key, `lk_live_<id>`' }),
        name: Type.String(),
        fullAccess: Type.Boolean(),
        permissions: Type.Array(Type.String(), { description: 'Empty with full access' }),
        allowedIps: Type.Integer({
          description: 'Number of IP addresses and networks that can use the key; 0 allows all',
        }),
        createdAt: EpochSeconds,
        expiresAt: Type.Union([EpochSeconds, Type.Null()], {
          description: 'When this secret stops working because the key was rotated; null if it was not',
        }),
      }),
      app: Type.Object({ id: Type.String(), name: Type.String() }),
      limits: Type.Object({ perMinute: Limit, perHour: Limit }),
      ip: Type.String({ description: 'The IP address of this call as the server sees it' }),
      serverVersion: Type.String(),
    }),
  }),
  stats: sellerCall('GET /stats', {
    scope: 'stats:read',
    summary: 'Get the number of licenses, users and active sessions of the app.',
    query: strict({}),
    reply: reply({
      licenses: Type.Object({ total: Count, unused: Count, used: Count, banned: Count, expiring: Count }),
      users: Type.Object({
        total: Count,
        banned: Count,
        paused: Count,
        active: Type.Union([Count, Type.Null()], { description: 'Null when there are too many to count' }),
        expired: Type.Union([Count, Type.Null()]),
      }),
      sessions: Type.Object({ live: Count }),
    }),
  }),
}
