import type { ReactNode, RefObject } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { FormDraft } from './field-changes.ts'
import type { Problem } from './use-problem-text.ts'

export type Name<V> = keyof V & string

export interface SaveRequest<B> {
  /** All fields as the call takes them: for a new row. */
  body: B
  /** The changed ones alone, and what they were when the form was opened: for an edit. */
  changes: Partial<B>
  before: Partial<B>
  /** The same for the same request, so that pressing again repeats it. */
  idempotencyKey: string
}

export interface SaveFormOptions<B extends object, V extends FieldValues, Reply> {
  /**
   * The fields as the server has them, or as a new row begins. Read once: a list refreshed meanwhile changes nothing,
   * unless the form has a `draft`.
   */
  start: B
  /** A new row sends all its fields; an edit only those that changed. */
  isNew: boolean
  /** What the fields show of what is stored, under the same names. Left out where they show it as it is. */
  toForm?: (stored: B) => V
  /** What is sent of what the fields show, e.g. trimmed. */
  toBody?: (values: V) => B
  /** Fields whose stored value nobody can read, e.g. a password: sent without it. */
  writeOnly?: readonly Name<V>[]
  /** Fields that can't be seen with these values, e.g. below a switch that is off: what was typed there is no change. */
  hidden?: (values: V) => readonly Name<V>[]
  /** Unsaved edits that outlive the form. All other fields follow `start` while it is open. */
  draft?: { get: () => FormDraft<V, B>; set: (draft: FormDraft<V, B>) => void }
  /** What is wrong, by field. Shown from the first submit on, each until it is solved. */
  problems?: (values: V) => Partial<Record<Name<V>, Problem | undefined>>
  send: (request: SaveRequest<B>) => Promise<Reply>
  onSaved: (reply: Reply) => void | Promise<void>
  /** Save was pressed and nothing had changed. */
  onUnchanged?: 'send' | (() => void)
  /** The text for a failed save. */
  failure: string | ((error: unknown) => string)
  /** For texts that name the cause: `(message) => t`Failed to create licenses: ${message}``. */
  failureWithCause?: (message: string, error: unknown) => string
  /** For a page that shows in a toast what would stand above the buttons. What a field can show stands there. */
  onFailed?: (text: string) => void
  /** How a value reads where theirs and yours are compared. Texts and numbers read as they are, yes and no as on and off. */
  texts?: { [N in Name<V>]?: (value: V[N]) => string }
}

interface FieldBinding<T> {
  name: string
  value: T
  /** Takes the value, or the event of a native field. */
  onChange: (change: T | { target: { value: string } }) => void
  error: string | undefined
  notice: ReactNode
}

export interface SaveForm<B, V extends FieldValues, Reply> {
  values: V
  /** The values as the call takes them. */
  body: B
  /** For everything with `value` and `onChange`: `<TextField label={…} {...form.field('name')} />`. */
  field: <N extends Name<V>>(name: N) => FieldBinding<V[N]>
  /** For a checkbox: `checked` and `onChange`. */
  checkbox: (name: Name<V>) => {
    name: string
    checked: boolean
    onChange: (event: { target: { checked: boolean } }) => void
    error: string | undefined
    notice: ReactNode
  }
  /** What a FormDialog takes. */
  dialog: {
    formRef: RefObject<HTMLFormElement | null>
    busy: boolean
    error: string | undefined
    isDirty: boolean
    onSubmit: () => void
  }
  /** The reply, once saved. */
  saved: Reply | undefined
  /** Names of the fields that Save would send, in the order of `start`. */
  changed: readonly Name<V>[]
  /** Drops what was typed. */
  discard: () => void
}
