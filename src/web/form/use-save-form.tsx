import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type PathValue, useForm } from 'react-hook-form'
import { CallFailed } from '../api/call-failed.ts'
import { failureText, failureTextWithCause } from '../api/errors.ts'
import { FieldConflict, valueText } from './field-conflict.tsx'
import {
  changedFields,
  conflictingValues,
  type FormDraft,
  isSameValue,
  mergeStored,
  pickFields,
} from './field-changes.ts'
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
  const { isNew, writeOnly = [], problems: rules, draft } = options
  const texts = (options.texts ?? {}) as Record<string, ((value: unknown) => string) | undefined>
  const toForm = options.toForm ?? ((stored: B) => stored as unknown as V)
  const toBody = options.toBody ?? ((values: V) => values as unknown as B)
  const [begun] = useState(() => draft?.get())
  const [stored, setStored] = useState<B>({ ...options.start, ...begun?.before })
  // What somebody else stored meanwhile, by field, until it is decided which value stays.
  const [theirs, setTheirs] = useState<Partial<B>>({})
  const [settled, setSettled] = useState<{ name: string }>()
  const form = useForm<V>({ defaultValues: { ...toForm(stored), ...begun?.edits } as DefaultValues<V> })
  const values = form.watch()
  const edited = changedFields(toBody(toForm(stored)), toBody(values)) as (Name<V> & keyof B)[]
  const hidden: readonly string[] = options.hidden?.(values) ?? []
  const changed = edited.filter((name) => !hidden.includes(name))
  const { isSubmitted, submitCount } = form.formState
  const [saved, setSaved] = useState<Reply>()
  const requestKey = useRequestKey()
  const problemText = useProblemText()
  const formRef = useRef<HTMLFormElement>(null)

  /** A field shows it: its refusal, or the choice between theirs and yours. */
  const isAtField = (error: unknown) =>
    (refusedField(error) ?? '') in stored || Object.keys(conflictsOf(error)).length > 0
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
    return {
      body,
      changes: pickFields(body, changed),
      before: pickFields(
        stored,
        changed.filter((name) => !writeOnly.includes(name)),
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
    onError: (error) => {
      const conflicts = conflictsOf(error)
      setTheirs(conflicts)
      if (Object.keys(conflicts).length > 0) options.onFailed?.(undecidedText())
      else if (!isAtField(error)) options.onFailed?.(failureOf(error))
    },
  })

  const found: Partial<Record<Name<V>, Problem | undefined>> = rules?.(values) ?? {}
  const isDirty = changed.length > 0
  const submit = form.handleSubmit((typed) => {
    setSettled(undefined)
    if (save.isPending || Object.values(rules?.(typed) ?? {}).some(Boolean) || Object.keys(theirs).length > 0) return
    if (isNew || isDirty || options.onUnchanged === 'send') save.mutate(requestOf(typed))
    else options.onUnchanged?.()
  })
  useEffect(() => {
    const inForm = (selector: string) => formRef.current?.querySelector<HTMLElement>(selector)
    if (submitCount === 0 && !settled) return
    const wrong = inForm('[aria-invalid=true], [data-conflict] button')
    if (wrong) wrong.focus()
    // The button that was pressed is gone.
    else if (settled) (inForm(`[name="${settled.name}"]`) ?? inForm('[type=submit]'))?.focus()
  }, [submitCount, save.error, settled])

  const set = <N extends Name<V>>(name: N, value: V[N]) =>
    form.setValue(name as unknown as Path<V>, value as PathValue<V, Path<V>>, { shouldDirty: true })
  const known = useRef(stored)
  const followStart = useEffectEvent(() => {
    const now = options.start
    const looked = changedFields(known.current, now) as string[]
    const { taken, agreed, theirs: undecided } = mergeStored({ stored, typed: toBody(values) }, known.current, now)
    known.current = now
    const merged = { ...stored, ...taken, ...agreed }
    setStored(merged)
    for (const name of Object.keys(taken) as Name<V>[]) set(name, toForm(merged)[name])
    setTheirs((others) => {
      const open = (Object.keys(others) as (keyof B & string)[]).filter((name) => !looked.includes(name))
      return { ...pickFields(others as B, open), ...undecided }
    })
  })
  const startText = JSON.stringify(options.start)
  const followsStart = draft !== undefined
  useEffect(() => {
    if (followsStart) followStart()
  }, [followsStart, startText])
  const edits = { edits: pickFields(values, edited), before: pickFields(stored, edited) }
  const editsText = JSON.stringify(edits)
  const storeDraft = useEffectEvent(() => draft?.set(edits))
  useEffect(() => storeDraft(), [editsText])
  const settle = (name: Name<V> & keyof B) => {
    const { [name]: value, ...others } = theirs
    setSettled({ name })
    setTheirs(others as Partial<B>)
    setStored((before) => ({ ...before, [name]: value }))
  }
  const fallbackOf = (error: unknown) =>
    typeof options.failure === 'string' ? options.failure : options.failure(error)
  const failureOf = (error: unknown) =>
    failureTextWithCause(error, fallbackOf(error), (message) => options.failureWithCause?.(message, error) ?? message)
  /** The refusal of one field, until it has another value than the refused one. */
  const refusedText = (name: Name<V>) => {
    const { error, variables } = save
    if (refusedField(error) !== name || !(name in stored)) return undefined
    const refused = variables?.body[name as unknown as keyof B]
    return isSameValue(refused, toBody(values)[name as unknown as keyof B])
      ? failureText(error, fallbackOf(error))
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
  const undecided = Object.keys(theirs).length > 0 ? undecidedText() : undefined
  const failure = save.error && !isAtField(save.error) ? failureOf(save.error) : undefined
  const error = options.onFailed ? undefined : (undecided ?? failure)
  const discard = () => {
    setStored(options.start)
    setTheirs({})
    save.reset()
    form.reset(toForm(options.start))
  }
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
    changed,
    discard,
  }
}

const undecidedText = () => t`Somebody changed this meanwhile. Choose which value stays, then save again.`

/** The field that a refusal names. */
function refusedField(error: unknown): string | undefined {
  const field = error instanceof CallFailed ? error.details.field : undefined
  return typeof field === 'string' ? field : undefined
}

const isFieldEvent = (change: unknown): change is { target: { value: string } } =>
  typeof change === 'object' && change !== null && 'target' in change
