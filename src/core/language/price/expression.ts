import { budgets } from '../../safety/budgets';
import { callBuiltIn } from './builtIns';
import {
  type Allowance,
  isList,
  isTable,
  isTruthy,
  PricePattern,
  jsonataText,
  type PriceValue,
  spendSteps,
  Unsupported,
} from './builtIns';
import { type PriceToken, priceTokens } from './tokens';

interface Scope {
  readonly names: Map<string, PriceValue>;
  readonly outer: Scope | undefined;
  readonly allowance: Allowance;
}

type Expression = (scope: Scope) => PriceValue;

/** Longer expressions are not read (UTF-16 units). */
const longest = 50_000;

/** Evaluates the part of JSONata that badges use (protocol 1.2). Throws {@link Unsupported} for everything else. */
export function evaluatePrice(text: string, inputs: Readonly<Record<string, PriceValue>>): PriceValue {
  if (text.length > longest) throw new Unsupported('too long');
  const expression = new Parser(priceTokens(text)).whole();
  const names = new Map(Object.entries(inputs));
  return expression({
    names,
    outer: undefined,
    allowance: { calls: budgets.priceCalls, steps: budgets.priceSteps },
  });
}

type Binary = (left: PriceValue, right: PriceValue, allowance: Allowance) => PriceValue;

/** Operators from the loosest to the tightest; `or` and `and` are decided by their left side. */
const operators: readonly Readonly<Record<string, Binary>>[] = [
  { or: (a, b, left) => isTruthy(a, left) || isTruthy(b, left) },
  { and: (a, b, left) => isTruthy(a, left) && isTruthy(b, left) },
  {
    '=': (a, b) => a !== undefined && a === b,
    '!=': (a, b) => a !== undefined && b !== undefined && a !== b,
    '<': compare((a, b) => a < b),
    '<=': compare((a, b) => a <= b),
    '>': compare((a, b) => a > b),
    '>=': compare((a, b) => a >= b),
    in: (a, b, left) => {
      if (!isList(b)) return a !== undefined && a === b;
      spendSteps(left, b.length);
      return b.includes(a);
    },
  },
  {
    '+': arithmetic((a, b) => a + b),
    '-': arithmetic((a, b) => a - b),
    '&': (a, b) => joined(jsonataText(a), jsonataText(b)),
  },
  {
    '*': arithmetic((a, b) => a * b),
    '/': arithmetic((a, b) => a / b),
    '%': arithmetic((a, b) => a % b),
  },
];
/** Maps: an expression may contain any name in place of an operator. */
const levels = operators.map((level) => new Map(Object.entries(level)));

class Parser {
  #next = 0;

  constructor(private readonly tokens: readonly PriceToken[]) {}

  whole(): Expression {
    const expression = this.#conditional();
    if (this.#next < this.tokens.length) throw new Unsupported('more than an expression');
    return expression;
  }

  #conditional(): Expression {
    const condition = this.#binary(0);
    if (!this.#take('?')) return condition;
    const then = this.#conditional();
    const otherwise = this.#take(':') ? this.#conditional() : () => undefined;
    return (scope) => (isTruthy(condition(scope), scope.allowance) ? then(scope) : otherwise(scope));
  }

  #binary(level: number): Expression {
    const operators = levels[level];
    if (!operators) return this.#negated();
    let left = this.#binary(level + 1);
    for (;;) {
      const token = this.tokens[this.#next];
      const operator =
        token && token.kind !== 'text' && token.kind !== 'pattern' ? operators.get(token.text) : undefined;
      if (!operator) return left;
      this.#next++;
      const [before, after] = [left, this.#binary(level + 1)];
      left = (scope) => operator(before(scope), after(scope), scope.allowance);
    }
  }

  #negated(): Expression {
    if (!this.#take('-')) return this.#chained();
    const operand = this.#negated();
    return (scope) => {
      const value = operand(scope);
      return typeof value === 'number' ? -value : undefined;
    };
  }

  #chained(): Expression {
    let value = this.#operand();
    for (;;) {
      const of = value;
      if (this.#take('.')) {
        const { text } = this.#expect('name');
        value = (scope) => memberOf(of(scope), text);
      } else if (this.#take('[')) {
        const index = this.#conditional();
        this.#close(']');
        value = (scope) => elementOf(of(scope), index(scope));
      } else return value;
    }
  }

  #operand(): Expression {
    const operand = this.#bareOperand();
    return (scope) => {
      spendSteps(scope.allowance);
      return operand(scope);
    };
  }

  #bareOperand(): Expression {
    const token = this.tokens[this.#next++];
    switch (token?.kind) {
      case 'number':
        return constant(Number(token.text));
      case 'text':
        return constant(token.text);
      case 'pattern': {
        const end = token.text.lastIndexOf('/');
        return constant(new PricePattern(token.text.slice(1, end), token.text.slice(end + 1)));
      }
      case 'variable':
        return this.#variable(token.text);
      case 'name':
        return token.text === 'function' ? this.#function() : named(token.text);
      case 'sign':
        if (token.text === '(') return this.#block();
        if (token.text === '{') return this.#object();
        if (token.text === '[') return this.#list();
        break;
      case undefined:
    }
    throw new Unsupported(token?.text ?? 'the end');
  }

  #variable(name: string): Expression {
    if (this.#take(':=')) {
      const value = this.#conditional();
      return (scope) => {
        const result = value(scope);
        scope.names.set(`$${name}`, result);
        return result;
      };
    }
    if (!this.#take('(')) return (scope) => variableIn(scope, `$${name}`);
    const given = this.#until(')');
    return (scope) => {
      if (--scope.allowance.calls < 0) throw new Unsupported('too many calls');
      const values = given.map((each) => each(scope));
      const own = variableIn(scope, `$${name}`);
      return typeof own === 'function' ? own(values) : callBuiltIn(name, values, scope.allowance);
    };
  }

  #function(): Expression {
    this.#close('(');
    const names: string[] = [];
    while (!this.#take(')')) {
      names.push(`$${this.#expect('variable').text}`);
      this.#take(',');
    }
    this.#close('{');
    const body = this.#conditional();
    this.#close('}');
    return (outer) => (given) => {
      const own = new Map(names.map((name, index) => [name, given[index]]));
      return body({ names: own, outer, allowance: outer.allowance });
    };
  }

  #block(): Expression {
    const steps: Expression[] = [];
    while (!this.#take(')')) {
      steps.push(this.#conditional());
      if (!this.#take(';')) {
        this.#close(')');
        break;
      }
    }
    return (outer) => {
      const scope = { names: new Map<string, PriceValue>(), outer, allowance: outer.allowance };
      return steps.reduce<PriceValue>((_, step) => step(scope), undefined);
    };
  }

  #object(): Expression {
    const members: (readonly [Expression, Expression])[] = [];
    while (!this.#take('}')) {
      const name = this.#binary(0);
      this.#close(':');
      members.push([name, this.#conditional()]);
      if (!this.#take(',')) {
        this.#close('}');
        break;
      }
    }
    return (scope) => new Map(members.map(([name, value]) => [jsonataText(name(scope)), value(scope)]));
  }

  #list(): Expression {
    const items = this.#until(']');
    return (scope) => items.map((item) => item(scope)).filter((value) => value !== undefined);
  }

  #until(end: string): Expression[] {
    const items: Expression[] = [];
    while (!this.#take(end)) {
      items.push(this.#conditional());
      if (!this.#take(',')) {
        this.#close(end);
        break;
      }
    }
    return items;
  }

  #take(text: string): boolean {
    const token = this.tokens[this.#next];
    if (token?.kind !== 'sign' || token.text !== text) return false;
    this.#next++;
    return true;
  }

  #close(text: string): void {
    if (!this.#take(text)) throw new Unsupported(`no ${text}`);
  }

  #expect(kind: PriceToken['kind']): PriceToken {
    const token = this.tokens[this.#next++];
    if (token?.kind !== kind) throw new Unsupported(token?.text ?? 'the end');
    return token;
  }
}

function constant(value: PriceValue): Expression {
  return () => value;
}

function named(name: string): Expression {
  if (name === 'true' || name === 'false') return constant(name === 'true');
  return name === 'null' ? constant(null) : (scope) => variableIn(scope, name);
}

function variableIn(scope: Scope, name: string): PriceValue {
  for (let each: Scope | undefined = scope; each; each = each.outer) {
    if (each.names.has(name)) return each.names.get(name);
  }
  return undefined;
}

function joined(before: string, after: string): string {
  if (before.length + after.length > budgets.priceText) throw new Unsupported('a text that long');
  return before + after;
}

function memberOf(value: PriceValue, name: string): PriceValue {
  return isTable(value) ? value.get(name) : undefined;
}

function elementOf(value: PriceValue, index: PriceValue): PriceValue {
  if (typeof index !== 'number') throw new Unsupported('a filter');
  return isList(value) ? value.at(Math.floor(index)) : index === 0 ? value : undefined;
}

function arithmetic(act: (a: number, b: number) => number): Binary {
  return (a, b) => {
    if (a === undefined || b === undefined) return undefined;
    if (typeof a !== 'number' || typeof b !== 'number') throw new Unsupported('arithmetic of other things');
    return act(a, b);
  };
}

function compare(act: (a: number | string, b: number | string) => boolean): Binary {
  return (a, b) => {
    if (a === undefined || b === undefined) return undefined;
    const isNumbers = typeof a === 'number' && typeof b === 'number';
    if (!isNumbers && !(typeof a === 'string' && typeof b === 'string')) throw new Unsupported('order');
    return act(a, b);
  };
}
