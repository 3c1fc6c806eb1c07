/** Values of the placeholders in a message: `{count}` is replaced by `values.count`. */
export type Values = Readonly<Record<string, string | number>>

/** A declared error: HTTP status and the specification's English text. */
export interface ErrorDefinition {
  status: number
  message: string
}

export type ErrorDefinitions = Record<string, ErrorDefinition>

/** A problem found by a rule, as one of the feature's error codes. The dashboard shows it in the reader's language. */
export interface Problem<C extends string = string, F extends string = string> {
  code: C
  values?: Values
  /** The field of the call with the problem. */
  field?: F
}

/** Thrown by rules and actions; the server replies with `{success:false, code, message, values, requestId}`. */
export class CallError extends Error {
  readonly status: number
  readonly code: string
  readonly values: Values | undefined
  /** Extra fields of the reply, e.g. `downloadUrl` or `retryAfterSeconds`. */
  readonly details: Record<string, unknown>

  constructor({ status, message }: ErrorDefinition, { code, values }: Problem, details: Record<string, unknown> = {}) {
    super(filled(message, values))
    this.name = 'CallError'
    this.status = status
    this.code = code
    this.values = values
    this.details = details
  }
}

export interface CallErrorOptions {
  values?: Values | undefined
  details?: Record<string, unknown>
  /** Overrides the status, for errors of the framework. */
  status?: number
  /** Overrides the text, for calls with a text of their own. */
  message?: string
}

/** Creates one of a feature's declared errors, to be thrown or kept. */
export const callError = <R extends ErrorDefinitions>(
  errors: R,
  code: keyof R & string,
  { values, details, ...own }: CallErrorOptions = {},
): CallError => {
  const rejection = errors[code] as ErrorDefinition
  return new CallError({ ...rejection, ...own }, { code, values }, details)
}

/** Throws one of a feature's declared errors. */
export function reject<R extends ErrorDefinitions>(
  errors: R,
  code: keyof R & string,
  options?: CallErrorOptions,
): never {
  throw callError(errors, code, options)
}

/** Throws the problem found by a rule, with its field; does nothing without a problem. */
export function rejectProblem<R extends ErrorDefinitions>(
  errors: R,
  problem: Problem<keyof R & string> | undefined,
  details?: Record<string, unknown>,
): void {
  if (!problem) return
  const { code, values, field } = problem
  reject(errors, code, { values, details: { ...(field && { field }), ...details } })
}

/**
 * The English text with its values filled in: `{name}`, `{limit, plural, one {# app} other {# apps}}`, or `{kind,
 * select, app {An app} other {It}}`, not nested.
 */
export const filled = (message: string, values: Values = {}): string =>
  message
    .replace(choice, (whole, name: string, kind: string, texts: string) => {
      const value = values[name]
      if (value === undefined) return whole
      const wanted = kind === 'plural' ? (value === 1 ? 'one' : 'other') : String(value)
      const byCase = new Map([...texts.matchAll(choiceCase)].map(([, name = '', text = '']) => [name, text]))
      const text = byCase.get(wanted) ?? byCase.get('other') ?? whole
      return kind === 'plural' ? text.replaceAll('#', String(value)) : text
    })
    .replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

/** The text without plural and select forms, for the API description: `Your plan allows {limit} apps`. */
export const plainText = (message: string): string =>
  message.replace(choice, (whole, name: string, kind: string, texts: string) => {
    const text = [...texts.matchAll(choiceCase)].find(([, each]) => each === 'other')?.[2] ?? whole
    return kind === 'plural' ? text.replaceAll('#', `{${name}}`) : text
  })

const choice = /\{(\w+), (plural|select),((?: \w+ \{[^{}]*\})+)\}/g
const choiceCase = / (\w+) \{([^{}]*)\}/g
