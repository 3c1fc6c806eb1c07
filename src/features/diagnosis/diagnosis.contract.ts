import { Type } from 'typebox'
import type { CodesOf } from '#contract/codes.ts'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { appFields, EpochSeconds, reply, strict, Text } from '#contract/fields.ts'

/** Why a program was refused: what happened to a license, a user, a machine or an address, and which rule decided. */

const OptionalTime = Type.Union([EpochSeconds, Type.Null()])
const Device = Type.String({ description: "The start of the machine's hash" })

const Act = Type.Object({
  act: Type.String({ description: 'As in the audit log: `license.ban`' }),
  timestamp: EpochSeconds,
  actorType: Type.String({ description: '`owner`, `admin`, `reseller`, `seller-key` or `user`' }),
  actorName: Type.String({ description: 'Empty when it is not known any more' }),
})
const OptionalAct = Type.Union([Act, Type.Null()])

const Decision = Type.Object({
  stillApplies: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether it would be refused again now; null when that depends on what the program sends',
  }),
  cause: OptionalAct,
  change: OptionalAct,
  fix: Type.String({ description: '`license`, `user`, `hwid`, `level`, `settings`, `plan` or `program`' }),
  target: Type.String({ description: 'The license or user to be changed' }),
  stored: Type.Optional(Device),
  sent: Type.Optional(Device),
  until: Type.Optional(OptionalTime),
  levels: Type.Optional(Type.Array(Type.String())),
  usedBy: Type.Optional(Type.String()),
  usedAt: Type.Optional(OptionalTime),
  version: Type.Optional(Type.String()),
  minHwidLength: Type.Optional(Type.Integer()),
})

const Event = Type.Object({
  id: Type.String(),
  timestamp: EpochSeconds,
  call: Type.String({ description: 'Of a program; empty for what somebody did' }),
  code: Type.String({ description: 'Why it was refused; empty when it was not' }),
  message: Type.String(),
  credential: Type.String(),
  licenseKey: Type.String(),
  device: Device,
  ip: Type.String(),
  country: Type.String(),
  session: Type.String(),
  act: Type.String({ description: 'As in the audit log; empty for what a program did' }),
  actorType: Type.String(),
  actorName: Type.String(),
  target: Type.String({ description: 'Of the act' }),
  decision: Type.Union([Decision, Type.Null()], { description: 'Of a refusal' }),
})

export const diagnosisContract = {
  diagnose: defineCall({
    method: 'GET',
    path: '/diagnosis',
    access: 'account',
    app: true,
    summary:
      'What happened to a license, user, machine or address, newest first, and for each refusal the rule that decided. `search` is a whole license key, username, hardware id or IP address, or a device as the log shows it.',
    query: strict({ ...appFields, search: Text(1024, 1) }),
    reply: reply({
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
      ip: Type.String({ description: 'When an address was searched for' }),
      boundUsers: Type.Array(Type.String(), { description: 'Users whose machine it is' }),
      events: Type.Array(Event),
      hasMore: Type.Boolean({ description: 'There is more, older, than the 100 newest' }),
    }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof diagnosisContract> {}
}

declare module '#contract/codes.ts' {
  interface Codes extends CodesOf<typeof diagnosisContract> {}
}
