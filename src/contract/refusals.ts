/** What a text names: `{count}` in a message stands for `values.count`. */
export type Values = Readonly<Record<string, string | number>>

/** A named refusal: HTTP status and the specification's English text. */
export interface Refusal {
  status: number
  message: string
}

export type Refusals = Record<string, Refusal>

/** What a rule finds wrong, by the code of the feature's refusals. The dashboard shows it in the reader's language. */
export interface Problem<C extends string = string, F extends string = string> {
  code: C
  values?: Values
  /** The field of the call that it belongs to. */
  field?: F
}

/** Thrown by rules and actions; the server answers `{success:false, code, message, values, requestId}`. */
export class CallRefused extends Error {
  readonly status: number
  readonly code: string
  readonly values: Values | undefined
  /** Extra fields of the reply, e.g. `downloadUrl` or `retryAfterSeconds`. */
  readonly details: Record<string, unknown>

  constructor({ status, message }: Refusal, { code, values }: Problem, details: Record<string, unknown> = {}) {
    super(filled(message, values))
    this.name = 'CallRefused'
    this.status = status
    this.code = code
    this.values = values
    this.details = details
  }
}

export interface RefusalOptions {
  values?: Values | undefined
  details?: Record<string, unknown>
  /** Where the framework has decided on another one. */
  status?: number
  /** Where a call has a text of its own. */
  message?: string
}

/** One of a feature's named refusals, to be thrown or kept. */
export const refusalOf = <R extends Refusals>(
  refusals: R,
  code: keyof R & string,
  { values, details, ...own }: RefusalOptions = {},
): CallRefused => {
  const refusal = refusals[code] as Refusal
  return new CallRefused({ ...refusal, ...own }, { code, values }, details)
}

/** Throws one of a feature's named refusals. */
export function refuse<R extends Refusals>(refusals: R, code: keyof R & string, options?: RefusalOptions): never {
  throw refusalOf(refusals, code, options)
}

/** Throws what a rule found wrong, with its field; nothing when all is well. */
export function refuseProblem<R extends Refusals>(
  refusals: R,
  problem: Problem<keyof R & string> | undefined,
  details?: Record<string, unknown>,
): void {
  if (!problem) return
  const { code, values, field } = problem
  refuse(refusals, code, { values, details: { ...(field && { field }), ...details } })
}

/** The English text with its values in place: `{name}`, or `{limit, plural, one {# app} other {# apps}}`. */
export const filled = (message: string, values: Values = {}): string =>
  message
    .replace(plural, (whole, name: string, one: string, other: string) => {
      const value = values[name]
      return value === undefined ? whole : (value === 1 ? one : other).replaceAll('#', String(value))
    })
    .replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

const plural = /\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}/g
