import { type ApiCall, variables } from './api-call.ts'
import { valueText, type Writing } from './value-text.ts'

const escaped = (text: string) => text.replaceAll("'", `'\\''`)
const quoted = (text: string) => `'${escaped(text)}'`

/** JSON in single quotes, which are closed around a variable. */
const json: Writing = {
  leaf: (value) => escaped(JSON.stringify(value)),
  environment: (variable) => `"'"$(printf %s "$${variable}" | sed 's/[\\"]/\\\\&/g')"'"`,
  indent: '  ',
  afterLast: '',
}

/** The call as a shell command. */
export function curlText({ method, url, appId, idempotent, body }: ApiCall): string {
  return [
    `curl -X ${method}`,
    quoted(url),
    `-H "Cookie: $${variables.cookie}"`,
    `-H "X-CSRF-Token: $${variables.csrf}"`,
    ...(appId ? [`-H ${quoted(`X-App-Id: ${appId}`)}`] : []),
    ...(idempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `--data-raw '${valueText(body, json)}'`]),
  ].join(' \\\n  ')
}
