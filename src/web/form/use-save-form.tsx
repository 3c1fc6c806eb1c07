import { useRef, useState } from 'react'
import { FieldConflict, valueText } from './field-conflict.tsx'
import { changedFields, pickFields } from './field-changes.ts'
import { conflictsOf, formFailureText, rejectedText, undecidedText } from './save-failure.ts'
import type { Name, SaveForm, SaveFormOptions } from './save-form.ts'
import { useFormValues } from './use-form-values.ts'
import { noEdits, useBegunDraft, useStoredDraft } from './use-form-draft.ts'
import { useProblemFocus } from './use-problem-focus.ts'
import { type Problem, useProblemText } from './use-problem-text.ts'
import { useSave } from './use-save.ts'
import { useFollowedStart, useStoredFields } from './use-stored-fields.ts'

/** A form saved by one call, in a dialog or on a page. */
export function useSaveForm<B extends object, Reply>(
  options: SaveFormOptions<B, B, Reply> & { toForm?: undefined },
): SaveForm<B, B, Reply>
export function useSaveForm<B extends object, V extends Record<keyof B, unknown>, Reply>(
  options: SaveFormOptions<B, V, Reply> & { toForm: (stored: B) => V; toBody: (values: V) => B },
): SaveForm<B, V, Reply>
export function useSaveForm<B extends object, V extends Record<keyof B, unknown>, Reply>(
  options: SaveFormOptions<B, V, Reply>,
): SaveForm<B, V, Reply> {
  const { isNew, writeOnly = [], problems: rules, draft } = options
  const toForm = options.toForm ?? ((fields: B) => fields as unknown as V)
  const toBody = options.toBody ?? ((typed: V) => typed as unknown as B)
  const begun = useBegunDraft(draft)
  const fields = useStoredFields<B>({ ...options.start, ...begun?.before })
  const { stored, theirs } = fields
  const form = useFormValues<V>(() => ({ ...toForm(stored), ...begun?.edits }))
  const { values, submitCount, set } = form
  const body = toBody(values)
  const edited = changedFields(toBody(toForm(stored)), body) as (Name<V> & keyof B)[]
  const hidden: readonly string[] = options.hidden?.(values) ?? []
  const changed = edited.filter((name) => !hidden.includes(name))
  const isDirty = changed.length > 0

  const save = useSave<B, Reply>({
    send: options.send,
    onSaved: (reply, { body: all, changes }) => {
      fields.store(isNew ? all : changes)
      form.restart()
      // The form may close now, and would keep its draft.
      draft?.set(noEdits())
      // Not awaited: a slow refresh of a list must not delay the result.
      void options.onSaved(reply)
    },
    onFailed: (error) => {
      const conflicts = conflictsOf(error, stored)
      fields.conflict(conflicts)
      const text = Object.keys(conflicts).length > 0 ? undecidedText() : formFailureText(options, error, stored)
      if (text !== undefined) options.onFailed?.(text)
    },
  })
  const [settled, setSettled] = useState<{ name: string }>()
  const submit = () => {
    const typed = form.startSubmit()
    setSettled(undefined)
    if (save.isPending || Object.values(rules?.(typed) ?? {}).some(Boolean) || fields.isUndecided) return
    const readable = changed.filter((name) => !writeOnly.includes(name))
    const sent = toBody(typed)
    const request = { body: sent, changes: pickFields(sent, changed), before: pickFields(stored, readable) }
    if (!isNew && !isDirty && options.onUnchanged !== 'send') options.onUnchanged?.()
    else if (options.sendAtOnce?.(request) !== true) save.send(request)
  }
  const formRef = useRef<HTMLFormElement>(null)
  useProblemFocus(formRef, { submitCount, error: save.error, settled })
  useFollowedStart({ start: options.start, known: stored, follows: draft !== undefined }, (known, now) => {
    const { merged, taken } = fields.follow({ typed: body, known, now })
    for (const name of taken as Name<V>[]) set(name, toForm(merged)[name])
  })
  useStoredDraft(draft, { edits: pickFields(values, changed), before: pickFields(stored, changed) })

  const problemText = useProblemText()
  const found: Partial<Record<Name<V>, Problem | undefined>> = rules?.(values) ?? {}
  const settle = (name: Name<V> & keyof B, taken?: V[Name<V>]) => {
    if (taken !== undefined) set(name, taken as V[typeof name])
    setSettled({ name })
    fields.settle(name)
  }
  const conflictAt = (name: Name<V> & keyof B) => {
    const offered = name in theirs ? toForm({ ...stored, [name]: theirs[name] })[name] : undefined
    if (offered === undefined) return undefined
    const textOf = (value: V[typeof name]) => options.texts?.[name]?.(value) ?? valueText(value)
    const texts = { theirs: textOf(offered), yours: textOf(values[name]) }
    return <FieldConflict {...texts} onTake={() => settle(name, offered)} onKeep={() => settle(name)} />
  }
  const aroundField = (name: Name<V>) => {
    const problem = submitCount > 0 ? found[name] : undefined
    const own = name as Name<V> & keyof B
    const error = problem ? problemText(problem) : rejectedText(options, save, { name: own, stored, typed: body })
    return { name, error, notice: conflictAt(own) }
  }
  const failure = fields.isUndecided ? undecidedText() : formFailureText(options, save.error, stored)
  const error = options.onFailed ? undefined : failure
  return {
    values,
    body,
    field: (name) => ({
      ...aroundField(name),
      value: values[name],
      onChange: (change) => set(name, (isFieldEvent(change) ? change.target.value : change) as V[typeof name]),
    }),
    checkbox: (name) => ({
      ...aroundField(name),
      checked: values[name] as boolean,
      onChange: (event) => set(name, event.target.checked as V[typeof name]),
    }),
    dialog: { formRef, busy: save.isPending, error, isDirty, onSubmit: submit },
    saved: save.saved,
    changed,
    changes: isDirty ? pickFields(body, changed) : undefined,
    discard: () => {
      draft?.set(noEdits())
      fields.restart(options.start)
      save.reset()
      form.restart(toForm(options.start))
    },
  }
}

const isFieldEvent = (change: unknown): change is { target: { value: string } } =>
  typeof change === 'object' && change !== null && 'target' in change
