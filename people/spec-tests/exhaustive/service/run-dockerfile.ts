import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { Instruction, Stage } from './dockerfile.js'

const run = promisify(execFile)

/** What a container made of the last stage has. */
export interface Image {
  /** The folder that stands for its working directory. */
  readonly folder: string
  readonly env: { readonly [name: string]: string }
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
  readonly user: string | undefined
}

/** Does what a Dockerfile says without an engine: each stage is a folder, and commands run on this machine. */
export async function runDockerfile(
  stages: readonly Stage[],
  context: string,
  folder: string,
): Promise<Image> {
  const programs = join(folder, 'programs')
  await makePrograms(programs)
  const isIgnored = readIgnored(readFileSync(join(context, '.dockerignore'), 'utf8'))
  let image: Image | undefined
  for (const { name, instructions } of stages) {
    const root = join(folder, name)
    const place = join(root, restOf(instructions, 'WORKDIR') ?? '')
    mkdirSync(place, { recursive: true })
    for (const instruction of instructions) {
      if (instruction.word === 'COPY') copy(instruction)
      if (instruction.word === 'RUN') await runCommand(instruction.rest, place, programs)
    }
    function copy({ flags, rest }: Instruction): void {
      const words = rest.split(' ')
      const target = words.pop() ?? ''
      const stage = flags['from']
      const source =
        stage === undefined ? context : join(folder, stage, restOf(instructions, 'WORKDIR') ?? '')
      for (const word of words) {
        const from = stage === undefined ? join(source, word) : join(folder, stage, word)
        const to = join(place, target, target.endsWith('/') ? basename(word) : '')
        cpSync(from, to, {
          recursive: true,
          filter: (path) => stage !== undefined || !isIgnored(relative(context, path)),
        })
      }
    }
    image = {
      folder: place,
      env: readEnv(restOf(instructions, 'ENV') ?? ''),
      command: readExec(restOf(instructions, 'CMD')),
      healthCheck: readExec(restOf(instructions, 'HEALTHCHECK')?.replace(/^CMD /, '')),
      user: restOf(instructions, 'USER'),
    }
  }
  if (image === undefined) throw new Error('There is no stage')
  return image
}

function restOf(instructions: readonly Instruction[], word: string): string | undefined {
  return instructions.find((one) => one.word === word)?.rest
}

function readEnv(text: string): { readonly [name: string]: string } {
  return Object.fromEntries(text.split(' ').map((pair) => pair.split('=') as [string, string]))
}

function readExec(text = '[]'): readonly string[] {
  return JSON.parse(text) as readonly string[]
}

/** Users and caches are those of this machine, and stay as they are. */
async function makePrograms(folder: string): Promise<void> {
  mkdirSync(folder)
  const { stdout } = await run('bash', ['-c', 'command -v npm'])
  const npm = `[ "$1" = cache ] || exec ${stdout.trim()} "$@" --prefer-offline --no-audit --no-fund`
  for (const [name, body] of [
    ['npm', npm],
    ['chown', ':'],
  ] as const) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  }
}

/** Without what tap and npm have put into the environment of the test; tap puts it into that of each child. */
async function runCommand(command: string, cwd: string, programs: string): Promise<void> {
  const { HOME = '', PATH = '' } = process.env
  const env = { HOME, PATH: `${programs}:${PATH}` }
  await run('/bin/sh', ['-ec', `unset NODE_OPTIONS; ${command}`], {
    cwd,
    env,
    maxBuffer: 64 * 1_048_576,
  })
}

/** Patterns of .dockerignore, as ours are: names at the root, and names or endings anywhere. */
function readIgnored(text: string): (path: string) => boolean {
  const patterns = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const pattern = line.replaceAll('.', String.raw`\.`).replaceAll(/(?<!\*)\*(?!\*)/g, '[^/]*')
      return new RegExp(`^${pattern.replace('**/', '(?:.*/)?')}(?:/|$)`)
    })
  return (path) => patterns.some((pattern) => pattern.test(path))
}
