import type { CallsOf } from '#contract/calls.ts'
import { Type } from 'typebox'
import { appCall } from '#contract/define-call.ts'
import { appFields, reply, strict, oneOf } from '#contract/fields.ts'
import { liveSubjects } from '#contract/live.ts'

/** What changes in an app, as it changes. */

const Subjects = Type.Array(oneOf(liveSubjects))

export const liveContract = {
  followChanges: appCall('GET /live', {
    summary:
      'Stream as server-sent events which lists of an app, or of the account that it belongs to, have changed: `changed` with their `subjects`, at most once per second. The first event has what changed since `Last-Event-ID`, or nothing. Every 15 seconds, an event without subjects shows that the stream is open.',
    query: strict({
      ...appFields,
      lastEventId: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'The same as `Last-Event-ID`, for a new `EventSource`; the header takes precedence',
        }),
      ),
    }),
    reply: reply({ appId: Type.String(), subjects: Subjects }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof liveContract> {}
}
