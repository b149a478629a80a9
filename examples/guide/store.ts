export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
}

export interface Task {
  readonly id: string
  readonly title: string
  readonly due: Date
  readonly assigneeId: string
}

export interface NewTask {
  readonly title: string
  readonly due: Date
  readonly assignee: string
}

/** What the application needs from its database. */
export interface Store {
  findPeople(ids: readonly string[]): Promise<readonly Person[]>
  findTasks(dueBefore: Date | undefined): Promise<readonly Task[]>
  addTask(task: NewTask): Promise<Task>
}

/** An in-memory store, so that the example runs without a database. */
export function createMemoryStore(): Store {
  const people: Person[] = [
    { id: '1', name: 'Ada', email: 'ada@example.com' },
    { id: '2', name: 'Grace', email: 'grace@example.com' },
  ]
  const tasks: Task[] = [
    { id: '1', title: 'Write the guide', due: new Date('2026-11-30T12:00:00Z'), assigneeId: '1' },
    { id: '2', title: 'Read the guide', due: new Date('2026-12-01T12:00:00Z'), assigneeId: '2' },
  ]
  return {
    findPeople: async (ids) => people.filter(({ id }) => ids.includes(id)),
    findTasks: async (dueBefore) => tasks.filter(({ due }) => !dueBefore || due < dueBefore),
    addTask: async ({ title, due, assignee }) => {
      const task = { id: String(tasks.length + 1), title, due, assigneeId: assignee }
      tasks.push(task)
      return task
    },
  }
}
