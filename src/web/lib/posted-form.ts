import { data } from 'react-router'
import type { Problem } from '#shared/problem.ts'

const notAForm: Problem = {
  title: 'Invalid form',
  status: 400,
  detail: 'The form could not be read. Please go back and submit it again.',
  code: 'invalid',
}

/** The headers of a redirect that sets the cookies of an API's answer. */
export function cookiesOf(response: Response): Headers {
  return new Headers(
    response.headers.getSetCookie().map((cookie): [string, string] => ['Set-Cookie', cookie]),
  )
}

/** Another content type is a client error. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData()
  } catch {
    // Another type of content, or a body that isn't what its type says.
    throw data(notAForm, { status: notAForm.status })
  }
}
