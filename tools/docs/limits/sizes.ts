import { maxNamesKiB } from '#contract/bulk.ts'
import { readSize } from '#contract/size.ts'
import { maxAnswerBytes as programAnswerBytes } from '#features/client-api/api/call-webhook.ts'
import { maxBodyBytes } from '#features/client-api/client-routes.ts'
import { maxVariableKiB } from '#features/users/user-variables.contract.ts'
import { anonymousBodyKiB, defaultBodyKiB } from '#server/http/call-routes.ts'
import { maxDepth, maxKeys } from '#server/http/json-body.ts'
import { maxAnswerBytes, maxRequestBytes, timeoutMs } from '#server/network/outgoing.ts'
import { platformDefaults } from '#server/settings/platform-settings.ts'
import { number } from '../page.ts'
import { kib, type Limit } from './limit.ts'
import { defaultConfig } from './rates.ts'

const requestBytes = readSize(platformDefaults.api.maxRequestSize) ?? 0
const mib = (bytes: number): string => `${number(bytes / 1024 / 1024)} MiB`

export const sizeLimits = (): Limit[] => [
  { what: "Body of a program's call", value: kib(maxBodyBytes), code: 'BODY_TOO_LARGE' },
  {
    what: 'Body of a call of the seller API or the dashboard',
    value: kib(defaultBodyKiB * 1024),
    code: 'BODY_TOO_LARGE',
  },
  {
    what: 'Body of a call without a session, such as signing in',
    value: kib(anonymousBodyKiB * 1024),
    code: 'BODY_TOO_LARGE',
  },
  {
    what: 'Body of a call that stores a variable of a user',
    value: kib(maxVariableKiB * 1024),
    code: 'BODY_TOO_LARGE',
  },
  { what: 'Body of a call that names many rows', value: kib(maxNamesKiB * 1024), code: 'BODY_TOO_LARGE' },
  { what: 'Any request', value: mib(requestBytes), code: 'BODY_TOO_LARGE', setting: '**Max request size**' },
  { what: 'Levels of a JSON body', value: number(maxDepth), code: 'JSON_TOO_COMPLEX' },
  { what: 'Fields of a JSON body', value: number(maxKeys), code: 'JSON_TOO_COMPLEX' },
  {
    what: 'An uploaded file, whatever the plan allows',
    value: mib(Math.min(requestBytes, defaultConfig.maxUploadBytes)),
    code: 'FILE_TOO_LARGE',
    setting: '**Max request size**, then `MAX_UPLOAD_MB`',
  },
  { what: 'Request to a webhook', value: kib(maxRequestBytes) },
  { what: 'Answer of a webhook to an event, as its log keeps it', value: kib(maxAnswerBytes) },
  { what: 'Answer of a webhook to a program', value: kib(programAnswerBytes), code: 'WEBHOOK_ANSWER_TOO_LARGE' },
  {
    what: 'Time for an answer of a webhook',
    value: `${number(timeoutMs / 1000)} seconds`,
    code: 'WEBHOOK_UNREACHABLE',
  },
]
