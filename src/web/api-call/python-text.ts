import { type ApiCall, variables } from './api-call.ts'
import { valueText, type Writing } from './value-text.ts'

/** JSON strings and numbers are valid Python. */
const words = new Map<unknown, string>([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
])

const python: Writing = {
  leaf: (value) => words.get(value) ?? JSON.stringify(value),
  environment: (variable) => `os.environ["${variable}"]`,
  indent: '    ',
  afterLast: ',',
}
const literal = (value: unknown) => valueText(value, python)

/** The call as Python 3, without dependencies. */
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
    'import json',
    'import os',
    ...(idempotent ? ['import uuid'] : []),
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
