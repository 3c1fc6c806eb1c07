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

/** A form with a file, which Python has no function for. */
const formOf = (fields: object) => [
  `fields = ${literal(fields)}`,
  'boundary = uuid.uuid4().hex',
  `part = f'--{boundary}\\r\\nContent-Disposition: form-data; name='`,
  `parts = [f'{part}"{name}"\\r\\n\\r\\n{value}\\r\\n'.encode() for name, value in fields.items()]`,
  `with open(os.environ["${variables.file}"], "rb") as file:`,
  `    name = os.path.basename(file.name).replace('"', "%22")`,
  `    parts.append(f'{part}"file"; filename="{name}"\\r\\n\\r\\n'.encode())`,
  '    parts.append(file.read())',
  `parts.append(f"\\r\\n--{boundary}--\\r\\n".encode())`,
]

/** Fields of a form are texts. */
const asTexts = (body: object): object =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  )

/** The call as Python 3, without dependencies. */
export function pythonText({ method, url, scope, appId, idempotent, upload = false, body }: ApiCall): string {
  const hasBody = body !== undefined
  const session = [
    `        "Cookie": os.environ["${variables.cookie}"],`,
    `        "X-CSRF-Token": os.environ["${variables.csrf}"],`,
  ]
  const key = `        "Authorization": "Bearer " + os.environ["${variables.sellerKey}"],`
  const headers = [
    ...(scope === undefined ? session : [key]),
    ...(appId ? [`        "X-App-Id": ${literal(appId)},`] : []),
    ...(idempotent ? ['        "Idempotency-Key": str(uuid.uuid4()),'] : []),
    ...(upload ? ['        "Content-Type": f"multipart/form-data; boundary={boundary}",'] : []),
    ...(hasBody && !upload ? ['        "Content-Type": "application/json",'] : []),
  ]
  return [
    'import json',
    'import os',
    ...(idempotent || upload ? ['import uuid'] : []),
    'from urllib.request import Request, urlopen',
    '',
    ...(upload ? formOf(asTexts(body as object)) : hasBody ? [`body = ${literal(body)}`] : []),
    'request = Request(',
    `    ${literal(url)},`,
    `    method=${literal(method)},`,
    ...(upload ? ['    data=b"".join(parts),'] : hasBody ? ['    data=json.dumps(body).encode(),'] : []),
    '    headers={',
    ...headers,
    '    },',
    ')',
    'with urlopen(request) as reply:',
    '    print(json.load(reply))',
  ].join('\n')
}
