//! Chooses the fewest inputs that explain the most programs. Pure.

use super::input_text::compare_size;
use std::collections::BTreeSet;

/// An input and the programs that fail on it.
#[derive(Debug, Clone)]
pub(super) struct ChoosableInput<'a> {
    pub input: &'a [u8],
    pub fails: BTreeSet<usize>,
}

/// Chooses inputs until all of these programs are explained or there are `max` of them: the one that explains the most
/// programs first, of equal ones the smallest. Returns their indices.
pub(super) fn choose_fewest(inputs: &[ChoosableInput], programs: &BTreeSet<usize>, max: usize) -> Vec<usize> {
    let mut open = programs.clone();
    let mut chosen = Vec::new();
    while chosen.len() < max {
        let explains = |at: usize| inputs[at].fails.intersection(&open).count();
        let best = (0..inputs.len()).min_by(|&one, &other| {
            let by_programs = explains(other).cmp(&explains(one));
            by_programs.then_with(|| compare_size(inputs[one].input, inputs[other].input))
        });
        let Some(best) = best.filter(|&at| explains(at) > 0) else { break };
        open.retain(|program| !inputs[best].fails.contains(program));
        chosen.push(best);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(inputs: &[(&str, &[usize])], programs: usize, max: usize) -> Vec<usize> {
        let inputs: Vec<ChoosableInput> = inputs
            .iter()
            .map(|(input, fails)| ChoosableInput {
                input: input.as_bytes(),
                fails: fails.iter().copied().collect(),
            })
            .collect();
        choose_fewest(&inputs, &(0..programs).collect(), max)
    }

    #[test]
    fn the_input_that_explains_most_comes_first() {
        let inputs: &[(&str, &[usize])] =
            &[("1\n", &[0]), ("5 5\n", &[0, 1, 2]), ("2\n", &[3]), ("9\n", &[1])];
        assert_eq!(choose(inputs, 5, 12), [1, 2], "program 4 has none");
        assert_eq!(choose(inputs, 5, 1), [1]);
        assert_eq!(choose(&[], 5, 12), [0; 0]);
    }

    #[test]
    fn of_equal_inputs_the_smaller_is_chosen_then_the_lesser_text() {
        assert_eq!(choose(&[("1 2\n", &[0]), ("99\n", &[0])], 1, 12), [1]);
        assert_eq!(choose(&[("7\n", &[0]), ("5\n", &[0])], 1, 12), [1]);
    }
}
