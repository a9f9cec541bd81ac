const sent = globalThis.fetch

/** Browsers say where a request comes from, and a session's cookie is accepted from nowhere else. Node says nothing. */
async function fetchAsBrowser(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}))
  const isKnown = headers.has('Origin') || headers.has('Sec-Fetch-Site')
  if (!isKnown && headers.has('Cookie')) headers.set('Sec-Fetch-Site', 'same-origin')
  return await sent(input, { ...init, headers })
}

// Test files in one process share it.
if (sent.name !== fetchAsBrowser.name) globalThis.fetch = fetchAsBrowser
