import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { createQueryClient } from '#web/lib/query.ts'

/** Shows a part of the administration at an address. */
export function openScreen(content: ReactNode, address = '/admin') {
  const client = createQueryClient()
  const element = <QueryClientProvider client={client}>{content}</QueryClientProvider>
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [address] })
  render(<RouterProvider router={router} />)
  return { client, router, user: userEvent.setup() }
}
