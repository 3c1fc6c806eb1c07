import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall } from '#contract/define-call.ts'
import { appFields, EpochSeconds, reply, strict, Text } from '#contract/fields.ts'

/** Explains rejected calls: the history of a license, user, machine or IP address, and the rule behind each rejection. */

const OptionalTime = Type.Union([EpochSeconds, Type.Null()])
const Device = Type.String({ description: 'First characters of the hash of the hardware ID' })

const PastEvent = Type.Object({
  act: Type.String({ description: 'Action, as in the audit log: `license.ban`' }),
  timestamp: EpochSeconds,
  actorType: Type.String({ description: '`owner`, `admin`, `reseller`, `seller-key` or `user`' }),
  actorName: Type.String({ description: 'Empty if no longer known' }),
})
const OptionalEvent = Type.Union([PastEvent, Type.Null()])

const Decision = Type.Object({
  stillApplies: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether the call would still be rejected; null when that depends on what the program sends',
  }),
  cause: OptionalEvent,
  change: OptionalEvent,
  fix: Type.String({
    description: 'Where to fix it: `license`, `user`, `hwid`, `level`, `settings`, `plan` or `program`',
  }),
  target: Type.String({ description: 'License or user to change' }),
  stored: Type.Optional(Device),
  sent: Type.Optional(Device),
  until: Type.Optional(OptionalTime),
  levels: Type.Optional(Type.Array(Type.String())),
  levelNumbers: Type.Optional(Type.Array(Type.Integer())),
  usedBy: Type.Optional(Type.String()),
  usedAt: Type.Optional(OptionalTime),
  version: Type.Optional(Type.String()),
  minHwidLength: Type.Optional(Type.Integer()),
})

const Event = Type.Object({
  id: Type.String(),
  timestamp: EpochSeconds,
  call: Type.String({ description: 'Call of the program; empty for an action of a person' }),
  code: Type.String({ description: 'Error code of a rejected call; otherwise empty' }),
  message: Type.String(),
  credential: Type.String(),
  licenseKey: Type.String(),
  device: Device,
  ip: Type.String(),
  country: Type.String(),
  session: Type.String(),
  requestId: Type.String({ description: 'Request ID of a rejected call, as its reply gave it; otherwise empty' }),
  act: Type.String({ description: 'Action, as in the audit log; empty for a call of a program' }),
  actorType: Type.String(),
  actorName: Type.String(),
  target: Type.String({ description: 'Target of the action' }),
  decision: Type.Union([Decision, Type.Null()], { description: 'Rule behind a rejection; otherwise null' }),
})

const Verdict = Type.Object({
  state: Type.Union([Type.Literal('rejected'), Type.Literal('uncertain'), Type.Literal('allowed')], {
    description: 'Whether the customer can start now; `uncertain` if that depends on what the program sends',
  }),
  code: Type.String({ description: 'Error code of the rule that decides; empty if the customer can start' }),
  since: OptionalTime,
  eventId: Type.String({
    description: 'The event in which a program was rejected by that rule; empty if there is none',
  }),
  decision: Type.Union([Decision, Type.Null()]),
})

export const diagnosisContract = {
  diagnose: appCall('GET /diagnosis', {
    summary:
      'Explain why a program is rejected: the history of a license, user, machine or IP address, newest first, with the rule behind each rejection. `search` is a complete license key, username, hardware ID or IP address, a device as shown in the log, or the request ID of a rejected call as people write it.',
    query: strict({ ...appFields, search: Text(1024, 1) }),
    reply: reply({
      rejection: Type.Union([Event, Type.Null()], {
        description: 'The rejected call, if you searched for its request ID',
      }),
      verdict: Type.Union([Verdict, Type.Null()], {
        description: 'Whether the customer can start now, and the rule that decides; null if no customer is known',
      }),
      customer: Type.String({ description: 'Username or license key of the customer; empty if unknown' }),
      license: Type.Union([
        Type.Object({
          licenseKey: Type.String(),
          banned: Type.Boolean(),
          used: Type.Boolean(),
          usedBy: Type.String(),
          createdAt: EpochSeconds,
          usedAt: OptionalTime,
          expiresAt: OptionalTime,
        }),
        Type.Null(),
      ]),
      user: Type.Union([
        Type.Object({
          username: Type.String(),
          banned: Type.Boolean(),
          paused: Type.Boolean(),
          device: Device,
          subscriptions: Type.Array(
            Type.Object({
              level: Type.Integer(),
              name: Type.String(),
              active: Type.Boolean(),
              expiresAt: OptionalTime,
            }),
          ),
        }),
        Type.Null(),
      ]),
      device: Device,
      ip: Type.String({ description: 'The IP address, if you searched for one' }),
      boundUsers: Type.Array(Type.String(), { description: 'Users bound to the machine' }),
      events: Type.Array(Event),
      hasMore: Type.Boolean({ description: 'Whether there are older events than the 100 newest' }),
    }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof diagnosisContract> {}
  interface Codes extends CodesOf<typeof diagnosisContract> {}
}
