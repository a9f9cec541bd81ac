import { type BoundFunctions, type queries, within } from '@testing-library/dom'
import { Window } from 'happy-dom'

/** A page as its server sent it: no script runs and no style applies. */
export interface PlainPage {
  /** Without the origin. */
  address: string
  status: number
  headers: Headers
  html: string
  document: Document
  /** Testing Library's queries, over the whole page. */
  page: BoundFunctions<typeof queries>
}

type Value = string | boolean

/** What a person does without scripts: open an address, fill in a form, press its button. Cookies are kept. */
export interface PlainBrowser {
  open: (path: string) => Promise<PlainPage>
  follow: (on: PlainPage, link: string | RegExp) => Promise<PlainPage>
  /**
   * Types into the form of a button and sends it.
   * @param typed by the fields' names; a checkbox or radio button is ticked by its value, or by true
   */
  press: (on: PlainPage, button: string | RegExp, typed?: Record<string, Value>) => Promise<PlainPage>
  cookies: Map<string, string>
}

const mostRedirects = 5

/** @param headers of each request; a Cookie, as of a session, is what the browser has at first */
export function openPlainBrowser(origin: string, headers: Record<string, string> = {}): PlainBrowser {
  const { Cookie = '', ...ownHeaders } = headers
  const cookies = new Map<string, string>()
  for (const pair of Cookie.split('; ')) if (pair) keepCookie(pair)

  async function request(path: string, init: RequestInit = {}, redirects = 0): Promise<PlainPage> {
    const answer = await fetch(new URL(path, origin), {
      ...init,
      redirect: 'manual',
      headers: {
        'Accept-Language': 'en-PH',
        'Sec-Fetch-Site': init.method === 'POST' ? 'same-origin' : 'none',
        ...(init.method === 'POST' ? { Origin: new URL(origin).origin } : {}),
        ...ownHeaders,
        ...(cookies.size > 0 ? { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } : {}),
      },
    })
    for (const cookie of answer.headers.getSetCookie()) keepCookie(cookie)
    const location = answer.headers.get('Location')
    if (answer.status >= 300 && answer.status < 400 && location !== null) {
      if (redirects === mostRedirects) throw new Error(`${path} redirects without end`)
      await answer.body?.cancel()
      return request(location, {}, redirects + 1)
    }
    const html = await answer.text()
    const document = parsePage(html, new URL(path, origin).href)
    const { pathname, search } = new URL(path, origin)
    return {
      address: pathname + search,
      status: answer.status,
      headers: answer.headers,
      html,
      document,
      page: within(document.body),
    }
  }

  function keepCookie(line: string) {
    const [pair = '', ...attributes] = line.split('; ')
    const [name = '', ...value] = pair.split('=')
    if (attributes.some((attribute) => /^Max-Age=0$/i.test(attribute))) cookies.delete(name)
    else cookies.set(name, value.join('='))
  }

  return {
    cookies,
    open: (path) => request(path),
    follow(on, name) {
      const links = find<HTMLAnchorElement>(on, 'a[href]', name)
      const [href, ...others] = new Set(links.map((link) => link.getAttribute('href')))
      if (!href || others.length > 0)
        throw new Error(`links ${name} lead to ${others.length ? 'several pages' : 'none'}`)
      return request(new URL(href, new URL(on.address, origin)).href)
    },
    press(on, name, typed = {}) {
      const button = findButton(on, name)
      const { form } = button
      if (!form) throw new Error(`the button ${name} is in no form`)
      typeInto(form, typed)
      if (!form.noValidate && !form.checkValidity()) throw new Error('the browser itself refuses the form')
      const fields = readForm(form)
      if (button.name) fields.append(button.name, button.value)
      const address = button.getAttribute('formaction') ?? form.getAttribute('action') ?? on.address
      const target = new URL(address, new URL(on.address, origin))
      const pairs = new URLSearchParams([...fields].map(([key, value]) => [key, String(value)]))
      if (form.method !== 'post') {
        target.search = String(pairs)
        return request(target.href)
      }
      const body = form.enctype === 'multipart/form-data' ? fields : pairs
      return request(target.href, { method: 'POST', body })
    },
  }
}

/** What a page shows under a name. Testing Library's roles take a second for it on a page with a long form. */
function find<Part extends Element>(
  { document }: PlainPage,
  selector: string,
  name: string | RegExp,
): Part[] {
  return [...document.querySelectorAll<Part>(selector)].filter((part) => {
    const own = (part.getAttribute('aria-label') ?? part.textContent).replace(/\s+/g, ' ').trim()
    return (typeof name === 'string' ? own === name : name.test(own)) && isShown(part)
  })
}

/** One that a person sees and that sends its form. */
function findButton({ page }: PlainPage, name: string | RegExp): HTMLButtonElement {
  const [button, other] = page
    .getAllByRole<HTMLButtonElement>('button', { name, hidden: true })
    .filter(isShown)
  if (!button || other) throw new Error(`the page shows ${other ? 'several buttons' : 'no button'} ${name}`)
  if (button.type !== 'submit' || isDisabled(button)) throw new Error(`the button ${name} sends nothing`)
  return button
}

/** A document of its own, whose scripts never run. */
function parsePage(html: string, url: string): Document {
  const { document } = new Window({
    url,
    settings: { disableJavaScriptFileLoading: true, disableCSSFileLoading: true },
  })
  document.write(html)
  if (!isDocument(document)) throw new Error('the page has no document')
  return document
}

/** Its types are of its own, and describe the same. */
function isDocument(parsed: object): parsed is Document {
  return 'body' in parsed && 'querySelectorAll' in parsed
}

/** By the product's own classes and attributes, since no style applies. */
export function isShown(element: Element): boolean {
  for (let part: Element | null = element; part; part = part.parentElement) {
    const { classList } = part
    const showsWithoutScripts = ['block', 'inline', 'flex'].some((as) => classList.contains(`noscript:${as}`))
    const isClosed = part.parentElement?.matches('details:not([open])') && part.tagName !== 'SUMMARY'
    if (isClosed || part.hasAttribute('hidden') || classList.contains('noscript:hidden')) return false
    if (classList.contains('hidden') && !showsWithoutScripts) return false
  }
  return true
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function controlsOf(form: HTMLFormElement): Control[] {
  const controls = form.querySelectorAll<Control>('input, select, textarea')
  return [...controls].filter((control) => control.name !== '' && !isDisabled(control))
}

const isDisabled = (control: Control | HTMLButtonElement) =>
  control.disabled || control.closest('fieldset[disabled]') !== null

const isTick = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio'

/** As a person can: what a page doesn't show or offer can't be typed or chosen. */
function typeInto(form: HTMLFormElement, typed: Record<string, Value>): void {
  for (const [name, value] of Object.entries(typed)) {
    const controls = controlsOf(form).filter((control) => control.name === name && control.type !== 'hidden')
    const ticks = controls.filter(isTick)
    const control = ticks.find((tick) => typeof value === 'boolean' || tick.value === value) ?? controls[0]
    if (!control || !isShown(control)) throw new Error(`the form shows no ${name}`)
    if (isTick(control)) {
      if (typeof value === 'string' && control.value !== value) throw new Error(`${name} offers no ${value}`)
      control.checked = value !== false
      continue
    }
    control.value = String(value)
    if (control.value !== value) throw new Error(`${name} offers no ${value}`)
  }
}

/** The fields of a form as a browser sends them. */
function readForm(form: HTMLFormElement): FormData {
  const fields = new FormData()
  for (const control of controlsOf(form)) {
    if (['file', 'submit', 'button'].includes(control.type) || (isTick(control) && !control.checked)) continue
    fields.append(control.name, control.value)
  }
  return fields
}
