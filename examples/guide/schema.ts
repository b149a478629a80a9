import type DataLoader from 'dataloader'
import { GraphQLError } from 'graphql'
import { buildSchema, type ContextOf, type ResponseHeaders } from 'graphwire'
import type { NewTask, Person, Store, Task } from './store.js'

export interface App {
  readonly principal: { readonly id: string; readonly isAdmin: boolean }
  readonly context: {
    readonly user: App['principal']
    readonly store: Store
    readonly people: DataLoader<string, Person | undefined>
    readonly headers: ResponseHeaders
  }
}

const sdl = `
  scalar DateTime
  enum Theme { LIGHT DARK }
  type Person { id: ID!  name: String!  email: String }
  type Task { id: ID!  title: String!  due: DateTime!  assignee: Person }
  type Query { tasks(dueBefore: DateTime): [Task!]! }
  type Mutation {
    addTask(title: String!, due: DateTime!, assignee: ID!): Task
    chooseTheme(theme: Theme!): Theme!
  }
`

export const schema = buildSchema<ContextOf<App>>(sdl, {
  DateTime: {
    coerceOutputValue: (date: Date) => date.toISOString(),
    coerceInputValue: (text) => {
      if (typeof text === 'string' && /^\d{4}-\d\d-\d\dT.+Z$/.test(text)) {
        const date = new Date(text)
        if (!Number.isNaN(date.getTime())) return date
      }
      throw new TypeError('Use a UTC time such as 2026-11-30T12:00:00Z.')
    },
  },
  Task: {
    assignee: (task: Task, _args, { people }) => people.load(task.assigneeId),
  },
  Person: {
    email: (person: Person, _args, { user }) => {
      if (user.isAdmin || user.id === person.id) return person.email
      throw failed('FORBIDDEN', "You may not read other people's email addresses.")
    },
  },
  Query: {
    tasks: (_parent, { dueBefore }: { dueBefore?: Date | null }, { store }) =>
      store.findTasks(dueBefore ?? undefined),
  },
  Mutation: {
    addTask: async (_parent, task: NewTask, { people, store }) => {
      if (await people.load(task.assignee)) return store.addTask(task)
      throw failed('NO_SUCH_PERSON', `There is no person ${task.assignee}.`)
    },
    chooseTheme: (_parent, { theme }: { theme: string }, { headers }) => {
      headers.append('Set-Cookie', `theme=${theme}; Path=/; Max-Age=31536000; Secure; SameSite=Lax`)
      return theme
    },
  },
})

function failed(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } })
}
