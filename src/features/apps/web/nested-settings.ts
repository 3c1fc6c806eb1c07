import type { CallInput } from '#web/api/call-types.ts'

type Body = NonNullable<CallInput<'POST /update_app'>['body']>
/** The fields of an app, flat as in `before`. */
type AppFields = NonNullable<Body['before']>

/** The fields as the call takes them: the settings of the app in an object of their own. */
export function nestedSettings({ appName, version, description, ...settings }: AppFields) {
  return {
    ...(appName !== undefined && { appName }),
    ...(version !== undefined && { version }),
    ...(description !== undefined && { description }),
    settings,
  }
}
