import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type PathValue, useForm } from 'react-hook-form'
import { CallFailed } from '../call-failed.ts'
import { failureText, failureTextWithCause } from '../errors.ts'
import { FieldConflict, valueText } from './field-conflict.tsx'
import { changedFields, conflictingValues, isSameValue, pickFields } from './field-changes.ts'
import { type Problem, useProblemText } from './use-problem-text.ts'
import { useRequestKey } from './use-request-key.ts'

type Name<V> = keyof V & string

interface SaveRequest<B> {
  /** All fields as the call takes them: for a new row. */
  body: B
  /** The changed ones alone, and what they were when the form was opened: for an edit. */
  changes: Partial<B>
  before: Partial<B>
  /** The same for the same request, so that pressing again repeats it. */
  idempotencyKey: string
}

interface SaveFormOptions<B extends object, V extends FieldValues, Reply> {
  /** The fields as the server has them, or as a new row begins. Read once: a list refreshed meanwhile changes nothing. */
  start: B
  /** A new row sends all its fields; an edit only those that changed. */
  isNew: boolean
  /** What the fields show of what is stored, under the same names. Left out where they show it as it is. */
  toForm?: (stored: B) => V
  /** What is sent of what the fields show, e.g. trimmed. */
  toBody?: (values: V) => B
  /** Fields whose stored value nobody can read, e.g. a password: sent without it. */
  writeOnly?: readonly Name<V>[]
  /** What is wrong, by field. Shown from the first submit on, each until it is solved. */
  problems?: (values: V) => Partial<Record<Name<V>, Problem | undefined>>
  send: (request: SaveRequest<B>) => Promise<Reply>
  onSaved: (reply: Reply) => void | Promise<void>
  /** Save was pressed and nothing had changed. */
  onUnchanged?: () => void
  /** The document's text for a failed save. */
  failure: string
  /** For texts that name the cause: `(message) => t`Failed to create licenses: ${message}``. */
  failureWithCause?: (message: string) => string
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
}

/** A form that one call saves. Fields may lie in a dialog or on a page. */
export function useSaveForm<B extends FieldValues, Reply>(
  options: SaveFormOptions<B, B, Reply> & { toForm?: undefined },
): SaveForm<B, B, Reply>
export function useSaveForm<B extends object, V extends FieldValues & Record<keyof B, unknown>, Reply>(
  options: SaveFormOptions<B, V, Reply> & { toForm: (stored: B) => V; toBody: (values: V) => B },
): SaveForm<B, V, Reply>
export function useSaveForm<B extends object, V extends FieldValues & Record<keyof B, unknown>, Reply>(
  options: SaveFormOptions<B, V, Reply>,
): SaveForm<B, V, Reply> {
  const { isNew, writeOnly = [], problems: rules } = options
  const texts = (options.texts ?? {}) as Record<string, ((value: unknown) => string) | undefined>
  const toForm = options.toForm ?? ((stored: B) => stored as unknown as V)
  const toBody = options.toBody ?? ((values: V) => values as unknown as B)
  const [stored, setStored] = useState(options.start)
  // What somebody else stored meanwhile, by field, until it is decided which value stays.
  const [theirs, setTheirs] = useState<Partial<B>>({})
  const form = useForm<V>({ defaultValues: toForm(stored) as DefaultValues<V> })
  const values = form.watch()
  const { isSubmitted, submitCount } = form.formState
  const [saved, setSaved] = useState<Reply>()
  const requestKey = useRequestKey()
  const problemText = useProblemText()
  const formRef = useRef<HTMLFormElement>(null)

  /** The server may name fields that this form doesn't have. */
  const conflictsOf = (error: unknown) => {
    const current = conflictingValues(error)
    return pickFields(
      current,
      Object.keys(current).filter((name) => name in stored),
    ) as Partial<B>
  }
  const requestOf = (typed: V): SaveRequest<B> => {
    const body = toBody(typed)
    const changed = changedFields(toBody(toForm(stored)), body)
    return {
      body,
      changes: pickFields(body, changed),
      before: pickFields(
        stored,
        changed.filter((name) => !(writeOnly as readonly string[]).includes(name)),
      ),
      idempotencyKey: requestKey.keyOf(body),
    }
  }
  const save = useMutation({
    mutationFn: options.send,
    onSuccess: (reply, { body }) => {
      requestKey.forget(body)
      setStored(body)
      setSaved(reply)
      form.reset(undefined, { keepValues: true })
      // Not awaited: a list that is slow to refresh must not delay what the reply brought.
      void options.onSaved(reply)
    },
    onError: (error) => setTheirs(conflictsOf(error)),
  })

  const found: Partial<Record<Name<V>, Problem | undefined>> = rules?.(values) ?? {}
  const isDirty = changedFields(toBody(toForm(stored)), toBody(values)).length > 0
  const submit = form.handleSubmit((typed) => {
    if (save.isPending || Object.values(rules?.(typed) ?? {}).some(Boolean) || Object.keys(theirs).length > 0) return
    const request = requestOf(typed)
    if (!isNew && Object.keys(request.changes).length === 0) options.onUnchanged?.()
    else save.mutate(request)
  })
  const settledName = useRef<string>(undefined)
  useEffect(() => {
    const inForm = (selector: string) => formRef.current?.querySelector<HTMLElement>(selector)
    const settled = settledName.current
    settledName.current = undefined
    if (submitCount === 0 && !settled) return
    const wrong = inForm('[aria-invalid=true], [data-conflict] button')
    if (wrong) wrong.focus()
    // The button that was pressed is gone.
    else if (settled) (inForm(`[name="${settled}"]`) ?? inForm('[type=submit]'))?.focus()
  }, [submitCount, save.error, theirs])

  const set = <N extends Name<V>>(name: N, value: V[N]) =>
    form.setValue(name as unknown as Path<V>, value as PathValue<V, Path<V>>, { shouldDirty: true })
  const settle = (name: Name<V> & keyof B) => {
    const { [name]: value, ...others } = theirs
    settledName.current = name
    setTheirs(others as Partial<B>)
    setStored((before) => ({ ...before, [name]: value }))
  }
  /** The refusal of one field, until it has another value than the refused one. */
  const refusedText = (name: Name<V>) => {
    const { error, variables } = save
    if (!(error instanceof CallFailed) || error.details.field !== name || !(name in stored)) return undefined
    const refused = variables?.body[name as unknown as keyof B]
    return isSameValue(refused, toBody(values)[name as unknown as keyof B])
      ? failureText(error, options.failure)
      : undefined
  }
  const aroundField = (name: Name<V>) => {
    const problem = isSubmitted ? found[name] : undefined
    const own = name as Name<V> & keyof B
    const textOf = (value: unknown) => texts[name]?.(value) ?? valueText(value)
    const offered = own in theirs ? toForm({ ...stored, [own]: theirs[own] })[name] : undefined
    return {
      name,
      error: problem ? problemText(problem) : refusedText(name),
      notice: own in theirs && offered !== undefined && (
        <FieldConflict
          theirs={textOf(offered)}
          yours={textOf(values[name])}
          onTake={() => {
            set(name, offered)
            settle(own)
          }}
          onKeep={() => settle(own)}
        />
      ),
    }
  }
  const isAtField = Object.keys(stored).some((name) => refusedText(name as Name<V>) !== undefined)
  const isConflict = Object.keys(conflictsOf(save.error)).length > 0
  const error =
    Object.keys(theirs).length > 0
      ? t`Somebody changed this meanwhile. Choose which value stays, then save again.`
      : save.error && !isAtField && !isConflict
        ? failureTextWithCause(save.error, options.failure, options.failureWithCause ?? String)
        : undefined
  return {
    values,
    body: toBody(values),
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
    dialog: { formRef, busy: save.isPending, error, isDirty, onSubmit: () => void submit() },
    saved,
  }
}

const isFieldEvent = (change: unknown): change is { target: { value: string } } =>
  typeof change === 'object' && change !== null && 'target' in change
