const same = (...names: string[]) =>
  names.map((name) => [name, names.filter((other) => other !== name)] as [string, string[]])

/**
 * Alternative names of fields, accepted by every call. If a schema uses two of these names, they are different fields,
 * and neither has an alternative name.
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
  // These alternative names have another meaning when they are sent alone.
  ['allowedPlans', ['plans']],
  ['planCosts', ['costs']],
  ['allowedSubscriptions', ['subscriptions']],
  ['sellerKey', ['key']],
  ['sellerKeys', ['keys']],
  ['variableName', ['name']],
  ['variableData', ['data']],
])

/** A level is also accepted as the object that lists return: `{ level, name }`. */
export const levelFieldNames: ReadonlySet<string> = new Set(['subscription', 'plan', 'subscriptionLevel', 'level'])

/** Alternative names of a schema's field, unless one of them is itself a field of the schema. */
export function otherNamesIn(fields: object, name: string): readonly string[] {
  const others = otherFieldNames.get(name) ?? []
  return others.some((other) => Object.hasOwn(fields, other)) ? [] : others
}
