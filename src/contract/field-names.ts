const same = (...names: string[]) =>
  names.map((name) => [name, names.filter((other) => other !== name)] as [string, string[]])

/**
 * The other names under which a field may be sent. A schema has one of them; the server
 * takes the rest for it on every call. A schema that has two of them means two things: there neither has another name.
 */
export const otherFieldNames: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...same('subscription', 'plan', 'subscriptionLevel', 'level'),
  ...same('license', 'licenseKey'),
  ...same('licenses', 'licenseKeys'),
  ...same('deleteUsers', 'deleteUser'),
  ...same('expiryUnit', 'unit'),
  ...same('sessionId', 'session_id'),
  ...same('originalName', 'originalVariableName'),
  ...same('credits', 'totalCredits'),
  // Alone, these other names mean something else.
  ['allowedPlans', ['plans']],
  ['planCosts', ['costs']],
  ['allowedSubscriptions', ['subscriptions']],
  ['sellerKey', ['key']],
  ['sellerKeys', ['keys']],
  ['variableName', ['name']],
  ['variableData', ['data']],
])

/** A level is also taken as the object that lists give: `{ level, name }`. */
export const levelFieldNames: ReadonlySet<string> = new Set(['subscription', 'plan', 'subscriptionLevel', 'level'])

/** The other names of a schema's field, as far as none of them is a field of it too. */
export function otherNamesIn(fields: object, name: string): readonly string[] {
  const others = otherFieldNames.get(name) ?? []
  return others.some((other) => Object.hasOwn(fields, other)) ? [] : others
}
