//! Groups programs that are connected by pairs.

/// Groups of at least two, each sorted by number, the largest group first.
pub(super) fn find_clusters(programs: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut parents: Vec<usize> = (0..programs).collect();
    for (left, right) in pairs {
        let (left, right) = (root_of(&mut parents, left), root_of(&mut parents, right));
        parents[left.max(right)] = left.min(right);
    }
    let mut members = vec![Vec::new(); programs];
    for program in 0..programs {
        let root = root_of(&mut parents, program);
        members[root].push(program);
    }
    members.retain(|cluster| cluster.len() > 1);
    members.sort_by_key(|cluster| std::cmp::Reverse(cluster.len()));
    members
}

fn root_of(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_hang_together() {
        let clusters = find_clusters(7, [(5, 6), (0, 2), (2, 4)].into_iter());
        assert_eq!(clusters, [vec![0, 2, 4], vec![5, 6]]);
    }
}
