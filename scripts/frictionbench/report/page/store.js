// The data of the page: its statistics and records, found by what is chosen.

import { tolerance as power } from "./format.js";

// What is known of a solver under a criterion and a tolerance, as report/statistics.py says it.
export const NOTHING = 0; // another criterion, or a tighter tolerance
export const SOLVED = 1; // a looser tolerance: what is solved, and costs that are not below those needed
export const ALL = 2; // that of the run

// The data in the page, which are gzipped.
export async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

export class Report {
  constructor(data) {
    Object.assign(this, data);
    // rowOf[solver][problem] is the place of their record, -1 without one.
    const problems = this.problems.label.length;
    this.rowOf = this.solvers.map(() => new Int32Array(problems).fill(-1));
    this.records.problem.forEach((problem, row) => {
      this.rowOf[this.records.solver[row]][problem] = row;
    });
    this.filesOf = this.solvers.map(() => new Set());
    this.records.solver.forEach((solver, row) => this.filesOf[solver].add(this.records.file[row]));
  }

  // What is known under the chosen criterion and tolerance.
  known(view) {
    const place = this.tolerances.indexOf(view.tolerance);
    return this.statistics.judgements[`${view.criterion}@${place}`]
      ?? { tells: this.solvers.map(() => NOTHING), satisfied: this.solvers.map(() => 0) };
  }

  tells(solver, view) {
    return this.known(view).tells[solver];
  }

  selection(view) {
    return this.statistics.selections[view.selection];
  }

  // A solver on the chosen problems, by the names of the statistics; null if nothing is known.
  summary(solver, view, selection = view.selection) {
    const numbers = this.known(view).summaries?.[selection][solver];
    return numbers ? Object.fromEntries(this.statistics.summary.map((name, k) => [name, numbers[k]])) : null;
  }

  // The view with only those of its solvers of which at least so much is known.
  knowing(view, least) {
    return { ...view, solvers: view.solvers.filter((solver) => this.tells(solver, view) >= least) };
  }

  // What solvers were run for, in words.
  asked(solvers) {
    const files = new Set(solvers.flatMap((solver) => [...this.filesOf[solver]]));
    return [...new Set([...files].map((file) => this.judgement(this.files[file].asked)))].join(" and ");
  }

  judgement({ criterion, tolerance }) {
    return `${this.criteria[criterion]} at ${power(tolerance)}`;
  }

  // Why there is nothing to show of these solvers.
  whyNothing(view, solvers) {
    return `Nothing can be concluded for ${this.judgement(view)}: the solvers were run for ${this.asked(solvers)} and `
      + "stopped there. Only the same criterion, at that tolerance or a looser one, can be judged.";
  }

  // A number of a record; null if it is not known.
  value(row, name) {
    return this.quantities[name]?.values[row] ?? null;
  }

  text(row, name) {
    return this.texts[this.records[name][row]] ?? null;
  }

  file(row) {
    return this.files[this.records.file[row]];
  }

  isSolved(row, view) {
    return this.known(view).solved?.[row] === "1";
  }

  // What a record cost by a measure; Infinity if it is not solved, or not measured.
  cost(row, view) {
    if (row < 0 || !this.isSolved(row, view)) return Infinity;
    const value = this.value(row, view.measure);
    return value === null ? Infinity : Math.max(value, this.measures[view.measure].floor);
  }

  problemsIn(view) {
    return this.selection(view).problems ?? [...this.problems.label.keys()];
  }

  // The command that repeats a record's solve, with a comment on what it does not repeat.
  command(row) {
    const file = this.file(row);
    const solver = this.solvers[this.records.solver[row]].quoted;
    const solve = `${file.program} solve ${this.text(row, "path")} --solver ${solver} ${this.text(row, "options")}`;
    const isAfter = this.text(row, "started")?.includes("answer");
    const isLimited = this.text(row, "status") === "memory_limit" && file.memory_limit && !isAfter;
    const command = isLimited ? `(ulimit -v ${Math.floor(file.memory_limit / 1024)}; ${solve})` : solve;
    const notes = [this.text(row, "missing"), isAfter && `the run started ${this.text(row, "started")}`].filter(Boolean);
    return notes.length ? `${command}  # ${notes.join("; ")}` : command;
  }
}
