"""Digits that nobody wrote: a small convolutional network, as in first lessons on PyTorch."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3), nn.ReLU(), nn.MaxPool2d(2),
        )  # fmt: skip
        self.scores = nn.Linear(16 * 5 * 5, 10)

    def forward(self, images):
        return self.scores(self.features(images).flatten(1))


def train(model, device, loader, optimizer, epoch):
    model.train()
    for number, (images, labels) in enumerate(loader):
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        if number % 10 == 0:
            print(f"epoch {epoch}, batch {number}: {loss.item():.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=2)
    options = parser.parse_args()
    torch.manual_seed(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    samples = TensorDataset(torch.rand(640, 1, 28, 28), torch.randint(10, (640,)))
    loader = DataLoader(samples, batch_size=options.batch_size, shuffle=True)
    model = Net().to(device)
    optimizer = torch.optim.Adadelta(model.parameters())
    for epoch in range(options.epochs):
        train(model, device, loader, optimizer, epoch)
    print("done")


if __name__ == "__main__":
    main()
