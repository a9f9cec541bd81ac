import { within } from '@testing-library/dom'
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
  page: ReturnType<typeof within>
}

type Value = string | boolean

/** What a person does without scripts: open an address, fill in a form, press its button. Cookies are kept. */
export interface PlainBrowser {
  open: (path: string) => Promise<PlainPage>
  /**
   * Sends the form of a button with what the page says and what is typed.
   * @param typed by the fields' names; a checkbox or radio button is ticked by its value, or by true
   */
  press: (on: PlainPage, button: string | RegExp, typed?: Record<string, Value>) => Promise<PlainPage>
  cookies: Map<string, string>
}

const mostRedirects = 5

export function openPlainBrowser(origin: string, headers: Record<string, string> = {}): PlainBrowser {
  const cookies = new Map<string, string>()

  async function request(path: string, init: RequestInit = {}, redirects = 0): Promise<PlainPage> {
    const answer = await fetch(new URL(path, origin), {
      ...init,
      redirect: 'manual',
      headers: {
        'Accept-Language': 'en-PH',
        ...headers,
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
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
    press(on, name, typed = {}) {
      const button: HTMLButtonElement = on.page.getByRole('button', { name })
      const { form } = button
      if (!form) throw new Error(`the button ${name} is in no form`)
      const fields = readForm(form, typed)
      if (button.name) fields.append(button.name, button.value)
      const address = button.getAttribute('formaction') ?? form.getAttribute('action') ?? on.address
      const target = new URL(address, new URL(on.address, origin))
      if (form.method !== 'post') {
        target.search = String(new URLSearchParams([...fields].map(([key, value]) => [key, String(value)])))
        return request(target.href)
      }
      const body =
        form.enctype === 'multipart/form-data'
          ? fields
          : new URLSearchParams([...fields].map(([key, value]) => [key, String(value)]))
      return request(target.href, { method: 'POST', body })
    },
  }
}

/** A document of its own, whose scripts never run. */
export function parsePage(html: string, url: string): Document {
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

/** The fields of a form as a browser sends them, after a person typed into them. */
function readForm(form: HTMLFormElement, typed: Record<string, Value>): FormData {
  const fields = new FormData()
  const controls = [...form.querySelectorAll<HTMLInputElement>('input[name], select[name], textarea[name]')]
  const unknown = Object.keys(typed).filter((name) => !controls.some((control) => control.name === name))
  if (unknown.length > 0) throw new Error(`the form has no ${unknown.join(', ')}`)
  for (const control of controls) {
    if (!control.disabled && isSent(control, typed[control.name]))
      fields.append(control.name, sentValue(control, typed[control.name]))
  }
  return fields
}

function isSent({ type, checked, value }: HTMLInputElement, typed: Value | undefined): boolean {
  if (type === 'file' || type === 'submit') return false
  if (type !== 'checkbox' && type !== 'radio') return true
  return typed === undefined ? checked : typed === true || typed === value
}

function sentValue({ type, value }: HTMLInputElement, typed: Value | undefined): string {
  return type === 'checkbox' || type === 'radio' ? value : String(typed ?? value)
}
