import { describe, expect, test, vi } from 'vitest'
import { ApiProblem } from './api-problem.ts'
import { readSection } from './section.ts'

const problem = {
  title: 'Unavailable',
  status: 503,
  code: 'unavailable',
  detail: 'The service is not available at the moment.',
} as const

describe('a part of a page', () => {
  test('is what was read', async () => {
    const reportFault = vi.fn()
    const section = await readSection('slideshow', Promise.resolve([1]), reportFault)
    expect(section).toEqual({ data: [1], failure: null })
    expect(reportFault).not.toHaveBeenCalled()
  })

  test('that could not be loaded says why', async () => {
    const reportFault = vi.fn()
    const section = await readSection('slideshow', Promise.reject(new ApiProblem(problem)), reportFault)
    expect(section.failure).toBe('Failed to load slideshow: The service is not available at the moment.')
    expect(reportFault).not.toHaveBeenCalled()
  })

  test.each(['announcements', 'slideshow', 'organizational chart'])(
    'that could not be understood leaves the others standing: %s',
    async (what) => {
      const fault = new TypeError('items is not iterable')
      const reportFault = vi.fn()
      const section = await readSection(what, Promise.reject(fault), reportFault)
      expect(section).toEqual({ data: null, failure: `Failed to process ${what} data` })
      expect(reportFault).toHaveBeenCalledWith(fault)
    },
  )

  test('whose request was aborted is no failure', async () => {
    const aborted = new DOMException('The reader has gone.', 'AbortError')
    await expect(readSection('slideshow', Promise.reject(aborted), vi.fn())).rejects.toBe(aborted)
  })
  test('leaves a failure that is not its own to others', async () => {
    const failure = new ApiProblem(problem)
    const reading = readSection('slideshow', Promise.reject(failure), vi.fn(), (error) => error === failure)
    await expect(reading).rejects.toBe(failure)
  })
})
