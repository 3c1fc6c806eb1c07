import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { appKey } from '#web/api/query-keys.ts'

export type Diagnosis = CallReply<'GET /diagnosis'>
export type DiagnosisEvent = Diagnosis['events'][number]
export type Decision = NonNullable<DiagnosisEvent['decision']>
export type Verdict = NonNullable<Diagnosis['verdict']>
export type PastEvent = NonNullable<Decision['cause']>

export const diagnosisQuery = (search: string) =>
  queryOptions({
    queryKey: appKey('diagnosis', 'search', search),
    queryFn: ({ signal }) => call('GET /diagnosis', { query: { search }, signal }),
    enabled: search !== '',
    // A repeated search must show the current state.
    staleTime: 0,
  })

export const isNothing = ({ rejection, license, user, device, events }: Diagnosis): boolean =>
  !rejection && !license && !user && device === '' && events.length === 0
