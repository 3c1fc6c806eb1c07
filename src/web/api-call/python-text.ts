import { type ApiCall, variables } from './api-call.ts'

/** The call for Python 3, with nothing to install. */
export function pythonText({ method, url, appId, idempotent, body }: ApiCall): string {
  const hasBody = body !== undefined
  const headers = [
    `        "Cookie": os.environ["${variables.cookie}"],`,
    `        "X-CSRF-Token": os.environ["${variables.csrf}"],`,
    ...(appId ? [`        "X-App-Id": ${literal(appId)},`] : []),
    ...(idempotent ? ['        "Idempotency-Key": str(uuid.uuid4()),'] : []),
    ...(hasBody ? ['        "Content-Type": "application/json",'] : []),
  ]
  return [
    `import json, os${idempotent ? ', uuid' : ''}`,
    'from urllib.request import Request, urlopen',
    '',
    ...(hasBody ? [`body = ${literal(body)}`] : []),
    'request = Request(',
    `    ${literal(url)},`,
    `    method=${literal(method)},`,
    ...(hasBody ? ['    data=json.dumps(body).encode(),'] : []),
    '    headers={',
    ...headers,
    '    },',
    ')',
    'with urlopen(request) as reply:',
    '    print(json.load(reply))',
  ].join('\n')
}

/** A JSON value in Python's words; JSON's texts are Python's. */
function literal(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((each) => literal(each, inner))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([name, each]) => `${JSON.stringify(name)}: ${literal(each, inner)}`)
  const [open, close] = isList ? '[]' : '{}'
  if (parts.length === 0) return `${open}${close}`
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}
