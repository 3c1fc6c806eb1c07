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

function bodyParts({ upload, body }: ApiCall): string[] {
  if (body === undefined) return []
  if (!upload) return [`-H 'Content-Type: application/json'`, `--data-raw '${valueText(body, json)}'`]
  const fields = Object.entries(body as object).filter(([, value]) => value !== undefined)
  return [
    ...fields.map(([name, value]) => `--form-string ${quoted(`${name}=${String(value)}`)}`),
    `-F "file=@$${variables.file}"`,
  ]
}

/** The call as a shell command. */
export function curlText(call: ApiCall): string {
  const { method, url, scope, appId, idempotent } = call
  const session = [`-H "Cookie: $${variables.cookie}"`, `-H "X-CSRF-Token: $${variables.csrf}"`]
  return [
    `curl -X ${method}`,
    quoted(url),
    ...(scope === undefined ? session : [`-H "Authorization: Bearer $${variables.sellerKey}"`]),
    ...(appId ? [`-H ${quoted(`X-App-Id: ${appId}`)}`] : []),
    ...(idempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...bodyParts(call),
  ].join(' \\\n  ')
}
