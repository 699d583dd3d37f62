"""Two networks that train each other, with an optimizer each, and a loader with workers."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Points(Dataset):
    def __len__(self):
        return 2048

    def __getitem__(self, number):
        angle = torch.tensor(number * 0.1)
        return torch.stack((angle.cos(), angle.sin()))


def net(inside, outside):
    return nn.Sequential(nn.Linear(inside, 64), nn.LeakyReLU(0.2), nn.Linear(64, outside))


def main():
    torch.manual_seed(3)
    makes, judges = net(8, 2), net(2, 1)
    judging = torch.optim.Adam(judges.parameters(), lr=2e-4, betas=(0.5, 0.999))
    making = torch.optim.Adam(makes.parameters(), lr=2e-4, betas=(0.5, 0.999))
    loss = nn.BCEWithLogitsLoss()
    for real in DataLoader(Points(), batch_size=64, num_workers=1):
        ones, noise = torch.ones(len(real), 1), torch.randn(len(real), 8)
        made = makes(noise)
        judging.zero_grad()
        (loss(judges(real), ones) + loss(judges(made.detach()), 0 * ones)).backward()
        judging.step()
        making.zero_grad()
        loss(judges(made), ones).backward()
        making.step()


if __name__ == "__main__":
    main()
