import type { TryItCall, TryItField } from './call.ts'
import { isStream, readReply, showProblem, showReply } from './reply.ts'
import { type BuiltRequest, buildRequest, confirmationOf, problemOf, type Values } from './request.ts'
import { canBeSent, onSellerKey, SellerKeyField, sellerKey } from './seller-key.ts'

/** The form of an operation in the API reference (docs/decisions/033). */

const places = { path: 'path', query: 'query', header: 'header', form: 'form', file: 'file' }
const made = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
): HTMLElementTagNameMap[K] => Object.assign(document.createElement(name), properties)

class TryItForm extends HTMLElement {
  #call!: TryItCall
  readonly #inputs = new Map<TryItField, HTMLInputElement>()
  #body: HTMLTextAreaElement | undefined
  readonly #send = made('button', { type: 'submit' })
  readonly #reason = made('p', { className: 'try-it-reason' })
  readonly #result = made('div', { className: 'try-it-result' })
  #confirmed: string | undefined
  #isSending = false
  /** Ends a stream of events. */
  #stop: AbortController | undefined

  connectedCallback(): void {
    if (this.#call !== undefined) return
    this.#call = JSON.parse(this.dataset['call'] ?? '') as TryItCall
    const details = made('details')
    const summary = made('summary', { textContent: 'Try it', ariaLabel: `Try it: ${this.#call.title}` })
    details.append(summary)
    // Pages have up to 20 forms, and a reader opens few.
    details.addEventListener('toggle', () => details.open && this.#open(details))
    this.append(details)
  }

  #open(details: HTMLDetailsElement): void {
    if (this.#reason.isConnected) return
    const { id, fields, body, title } = this.#call
    const form = made('form', { noValidate: true, ariaLabel: title })
    form.append(...fields.map((field) => this.#row(field)))
    if (body !== undefined) form.append(this.#bodyRow(body))
    this.#reason.id = `${id}-reason`
    this.#send.setAttribute('aria-describedby', this.#reason.id)
    form.append(this.#send, this.#reason, this.#result)
    form.addEventListener('input', () => this.#update())
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#submit()
    })
    details.append(form)
    onSellerKey(() => this.#update())
    this.#update()
  }

  #row(field: TryItField): HTMLElement {
    const { name, place, isRequired, value, type } = field
    const id = `${this.#call.id}-${place}-${name}`
    const label = made('label', { htmlFor: id, textContent: name })
    const hint = made('span', {
      id: `${id}-hint`,
      className: 'try-it-hint',
      textContent: `${places[place]}${isRequired ? ', required' : ''}: ${type}`,
    })
    const input = made('input', {
      id,
      type: place === 'file' ? 'file' : 'text',
      autocomplete: 'off',
      spellcheck: false,
    })
    if (place !== 'file') input.value = value
    input.required = isRequired
    input.setAttribute('aria-describedby', hint.id)
    this.#inputs.set(field, input)
    return this.#grouped(label, hint, input)
  }

  #bodyRow(text: string): HTMLElement {
    const id = `${this.#call.id}-body`
    const label = made('label', { htmlFor: id, textContent: 'Body' })
    const hint = made('span', { id: `${id}-hint`, className: 'try-it-hint', textContent: 'JSON' })
    this.#body = made('textarea', {
      id,
      value: text,
      rows: Math.min(text.split('\n').length + 1, 14),
      spellcheck: false,
    })
    this.#body.setAttribute('aria-describedby', hint.id)
    return this.#grouped(label, hint, this.#body)
  }

  #grouped(...children: HTMLElement[]): HTMLElement {
    const group = made('div', { className: 'try-it-field' })
    group.append(...children)
    return group
  }

  #values(): Values {
    const valueOf = (input: HTMLInputElement) => (input.type === 'file' ? input.files?.[0] : input.value)
    return {
      fields: new Map([...this.#inputs].map(([field, input]) => [field, valueOf(input)])),
      body: this.#body?.value,
    }
  }

  /** A changed form must be confirmed anew. */
  #update(): void {
    this.#confirmed = undefined
    this.#send.textContent = this.#stop ? 'Stop' : this.#isSending ? 'Sending…' : 'Send'
    this.#send.classList.remove('try-it-confirm')
    this.#send.disabled = sellerKey() === ''
    // A disabled button would lose the focus.
    this.#send.ariaDisabled = String(this.#isSending && !this.#stop)
    if (sellerKey() === '') {
      const link = made('a', { href: '#seller-key', textContent: 'Enter a seller key' })
      link.addEventListener('click', (event) => {
        event.preventDefault()
        document.getElementById('seller-key')?.focus()
      })
      this.#reason.replaceChildren(link, ' at the top of the page to send this call.')
    } else {
      this.#reason.textContent = ''
    }
  }

  async #submit(): Promise<void> {
    if (this.#stop) return this.#stop.abort()
    if (this.#isSending || sellerKey() === '') return
    const values = this.#values()
    const problem = canBeSent(sellerKey()) ? problemOf(this.#call, values) : 'A seller key has no spaces or accents.'
    if (problem) return showProblem(this.#result, problem)
    const request = buildRequest(this.#call, values)
    const confirmation = confirmationOf(this.#call, request)
    if (confirmation !== this.#confirmed) return this.#ask(confirmation)
    await this.#sendRequest(request)
  }

  #ask(confirmation: string | undefined): void {
    this.#confirmed = confirmation
    this.#send.textContent = `Confirm: ${this.#call.title}`
    this.#send.classList.add('try-it-confirm')
    showProblem(this.#result, `${confirmation} Press again to send it.`)
  }

  async #sendRequest({ method, address, headers, body }: BuiltRequest): Promise<void> {
    this.#isSending = true
    this.#update()
    const startedAt = performance.now()
    const abort = new AbortController()
    try {
      const response = await fetch(address, {
        method,
        headers: { ...headers, Authorization: `Bearer ${sellerKey()}` },
        body: body ?? null,
        // The session of the dashboard has nothing to do with it.
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
        signal: abort.signal,
      })
      if (isStream(response)) {
        this.#stop = abort
        this.#update()
      }
      await readReply(response, startedAt, (reply) => showReply(this.#result, reply))
    } catch (error) {
      if (abort.signal.aborted) return
      const reason = (error as Error).message
      showProblem(this.#result, `No answer: ${reason}. The server may have received the call. Check your connection.`)
    } finally {
      this.#isSending = false
      this.#stop = undefined
      this.#update()
    }
  }
}

customElements.define('signet-seller-key', SellerKeyField)
customElements.define('signet-try-it', TryItForm)
