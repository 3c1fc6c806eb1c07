import type { ReactNode, RefObject } from 'react'
import type { FormDraft } from './field-changes.ts'
import type { Problem } from './use-problem-text.ts'

export type Name<V> = keyof V & string

export interface SaveRequest<B> {
  /** All fields as the call takes them, for a new row. */
  body: B
  /** Only the changed fields and their previous values, for an edit. */
  changes: Partial<B>
  before: Partial<B>
  /** The same for equal requests, so that pressing again is a retry. */
  idempotencyKey: string
}

export interface SaveFormOptions<B extends object, V extends object, Reply> {
  /**
   * The stored values, or the defaults of a new row. Read once: a list refreshed meanwhile changes nothing, unless the
   * form has a `draft`.
   */
  start: B
  /** A new row sends all its fields, an edit only the changed ones. */
  isNew: boolean
  /** Converts stored values to the values of the fields, under the same names. Omitted if they are equal. */
  toForm?: (stored: B) => V
  /** Converts the values of the fields to those that are sent, e.g. trimmed. */
  toBody?: (values: V) => B
  /** Write-only fields, e.g. passwords: sent without their previous value. */
  writeOnly?: readonly Name<V>[]
  /** Fields hidden by the current values, e.g. below a switch that is off; their content does not count as a change. */
  hidden?: (values: V) => readonly Name<V>[]
  /** Unsaved edits that outlive the form. All other fields follow `start` while it is open. */
  draft?: { get: () => FormDraft<NoInfer<V>, NoInfer<B>>; set: (draft: FormDraft<NoInfer<V>, NoInfer<B>>) => void }
  /** Problems by field, shown from the first submit on until they are solved. */
  problems?: (values: V) => Partial<Record<Name<V>, Problem | undefined>>
  send: (request: SaveRequest<B>) => Promise<Reply>
  /** Takes an edit whose result is shown before the answer; the form has closed then. False for all others. */
  sendAtOnce?: (request: Omit<SaveRequest<B>, 'idempotencyKey'>) => boolean
  onSaved: (reply: Reply) => void | Promise<void>
  /** Called when Save is pressed without changes. */
  onUnchanged?: 'send' | (() => void)
  /** Text of a failed save. */
  failure: string | ((error: unknown) => string)
  /** For texts with the cause: `(message) => t`Failed to create licenses: ${message}``. */
  failureWithCause?: (message: string, error: unknown) => string
  /** For pages that show errors of the whole form in a toast. Errors of fields are shown at the field. */
  onFailed?: (text: string) => void
  /**
   * Text of a value when both sides of a conflict are shown. By default, texts and numbers as they are, booleans as on
   * and off.
   */
  texts?: { [N in Name<V>]?: (value: V[N]) => string }
}

interface FieldBinding<T> {
  name: string
  value: T
  /** Accepts the value, or the event of a native field. */
  onChange: (change: T | { target: { value: string } }) => void
  error: string | undefined
  notice: ReactNode
}

export interface SaveForm<B, V extends object, Reply> {
  values: V
  /** Values in the form that the call takes. */
  body: B
  /** For components with `value` and `onChange`: `<TextField label={…} {...form.field('name')} />`. */
  field: <N extends Name<V>>(name: N) => FieldBinding<V[N]>
  /** For a checkbox: `checked` and `onChange`. */
  checkbox: (name: Name<V>) => {
    name: string
    checked: boolean
    onChange: (event: { target: { checked: boolean } }) => void
    error: string | undefined
    notice: ReactNode
  }
  /** Props of a FormDialog. */
  dialog: {
    formRef: RefObject<HTMLFormElement | null>
    busy: boolean
    error: string | undefined
    isDirty: boolean
    onSubmit: () => void
  }
  /** The reply, after saving. */
  saved: Reply | undefined
  /** Names of the fields that Save would send, in the order of `start`. */
  changed: readonly Name<V>[]
  /** These fields as Save would send them; undefined while nothing has changed. */
  changes: Partial<B> | undefined
  /** Discards unsaved edits. */
  discard: () => void
}
