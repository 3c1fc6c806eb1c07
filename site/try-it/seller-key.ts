/** The seller key of a page: only its memory has it, so it is gone with the page. */

let key = ''
const changes = new EventTarget()

export const sellerKey = (): string => key

export function onSellerKey(listener: () => void): void {
  changes.addEventListener('change', listener)
}

function setSellerKey(text: string): void {
  key = text.trim()
  changes.dispatchEvent(new Event('change'))
}

/** Whether a header can have it. */
export const canBeSent = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

export class SellerKeyField extends HTMLElement {
  connectedCallback(): void {
    const label = document.createElement('label')
    label.htmlFor = 'seller-key'
    label.textContent = 'Seller key'
    const input = document.createElement('input')
    Object.assign(input, { id: 'seller-key', type: 'password', autocomplete: 'off', spellcheck: false })
    input.setAttribute('aria-describedby', 'seller-key-note')
    input.addEventListener('input', () => setSellerKey(input.value))
    const note = document.createElement('p')
    note.id = 'seller-key-note'
    note.textContent =
      'For the forms below the calls, which call this server and change the app of the key. Only the memory of this page ' +
      'keeps it, because browsers write what a tab stores to disk: after you leave or reload the page, enter it again.'
    this.replaceChildren(label, input, note)
  }
}
